/*
 * Deflate decompression: content and checksums of the output; damaged and truncated input, too small destinations, a trailer.
 */
#include <libdeflate.h>

#include "codec.h"

enum { AT = 1 << 20, BACK = 2 << 20, ROOM = 1 << 20 };

/* Compresses the first len bytes of the memory to AT; returns the stream's length. */
static size_t make_stream(struct rig *rig, size_t len)
{
	struct libdeflate_compressor *coder = libdeflate_alloc_compressor(6);
	size_t produced = libdeflate_deflate_compress(coder, rig->memory, len, rig->memory + AT, ROOM);

	libdeflate_free_compressor(coder);
	CHECK(produced > 0);
	return produced;
}

static struct codec_result decompress(struct rig *rig, size_t len, size_t room)
{
	struct doca_buf *src = rig_source(rig, AT, len), *dst = rig_room(rig, BACK, room);
	struct codec_result result = codec_decompress_deflate(rig, src, dst);

	rig_drop(src);
	rig_drop(dst);
	return result;
}

static void check_content(struct rig *rig, const struct codec_result *result, size_t len)
{
	CHECK_OK(result->status);
	CHECK_EQ(result->produced, len);
	CHECK(memcmp(rig->memory, rig->memory + BACK, len) == 0);
	CHECK(result->crc == libdeflate_crc32(0, rig->memory, len));
	CHECK(result->checksum == libdeflate_adler32(1, rig->memory, len));
}

static void sizes(struct rig *rig)
{
	static const size_t lengths[] = { 1, 2, 258, 259, 4096, 65536, 65537, 1 << 20 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct codec_result result = decompress(rig, make_stream(rig, lengths[i]), lengths[i]); /* exactly enough */

		check_content(rig, &result, lengths[i]);
	}
}

static void trailer_is_ignored(struct rig *rig)
{
	size_t len = make_stream(rig, 3000);
	struct codec_result result;

	memset(rig->memory + AT + len, 0xee, 8);
	result = decompress(rig, len + 8, ROOM);
	check_content(rig, &result, 3000);
}

static void failures(struct rig *rig)
{
	size_t len = make_stream(rig, 3000);

	for (size_t part = 1; part < len; part++)
		CODEC_CHECK_FAILS(decompress(rig, part, ROOM));
	rig->memory[AT] |= 6; /* a block of the reserved type */
	CODEC_CHECK_FAILS(decompress(rig, len, ROOM));
	make_stream(rig, 3000);
	CHECK_OK(decompress(rig, len, ROOM).status); /* the context still works */
}

/* No decoder writes behind its room. */
static void too_little_room(struct rig *rig)
{
	size_t len = make_stream(rig, 3000);

	for (size_t room = 1; room < 3000; room += 7) {
		memset(rig->memory + BACK + room, 0x5a, 64);
		CODEC_CHECK_FAILS(decompress(rig, len, room));
		for (size_t i = 0; i < 64; i++)
			CHECK_EQ(rig->memory[BACK + room + i], 0x5a);
	}
	CODEC_CHECK_FAILS(decompress(rig, len, 2999));
}

/* Streams with one wrong byte end with an error or with other content, and only within the room. */
static void damage(struct rig *rig)
{
	size_t len = make_stream(rig, 3000);

	memset(rig->memory + BACK + 3000, 0x5a, 64);
	for (size_t i = 0; i < len; i++) {
		struct codec_result result;

		rig->memory[AT + i] ^= (uint8_t)(1u << (i % 8));
		result = decompress(rig, len, 3000);
		CHECK(result.status == DOCA_SUCCESS || (result.status == DOCA_ERROR_IO_FAILED && result.produced == 0));
		if (result.status == DOCA_SUCCESS)
			CHECK(result.crc == libdeflate_crc32(0, rig->memory + BACK, result.produced));
		for (size_t j = 0; j < 64; j++)
			CHECK_EQ(rig->memory[BACK + 3000 + j], 0x5a);
		rig->memory[AT + i] ^= (uint8_t)(1u << (i % 8));
	}
}

int main(void)
{
	struct rig rig;

	codec_open(&rig);
	sizes(&rig);
	trailer_is_ignored(&rig);
	failures(&rig);
	too_little_room(&rig);
	damage(&rig);
	rig_close(&rig);
	return 0;
}
