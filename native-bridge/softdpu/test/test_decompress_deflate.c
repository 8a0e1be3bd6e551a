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

	CODEC_CHECK_FAILS(decompress(rig, len, 2999));
	CODEC_CHECK_FAILS(decompress(rig, len - 1, ROOM));
	CODEC_CHECK_FAILS(decompress(rig, 1, ROOM));
	rig->memory[AT] |= 6; /* a block of the reserved type */
	CODEC_CHECK_FAILS(decompress(rig, len, ROOM));
	make_stream(rig, 3000);
	CHECK_OK(decompress(rig, len, ROOM).status); /* the context still works */
}

int main(void)
{
	struct rig rig;

	codec_open(&rig);
	sizes(&rig);
	trailer_is_ignored(&rig);
	failures(&rig);
	rig_close(&rig);
	return 0;
}
