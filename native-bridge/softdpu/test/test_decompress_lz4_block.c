/* One raw LZ4 block: content, CRC-32 and xxHash-32 of the output; damaged and truncated input, too small destinations. */
#include <endian.h>
#include <libdeflate.h>
#include <lz4.h>
#include <xxhash.h>

#include "codec.h"

enum { AT = 1 << 20, BACK = 2 << 20, ROOM = 1 << 20 };

static size_t make_block(struct rig *rig, size_t len)
{
	int produced = LZ4_compress_default((const char *)rig->memory, (char *)rig->memory + AT, (int)len, ROOM);

	CHECK(produced > 0);
	return (size_t)produced;
}

static struct codec_result decompress(struct rig *rig, size_t len, size_t room)
{
	struct doca_buf *src = rig_source(rig, AT, len), *dst = rig_room(rig, BACK, room);
	struct codec_result result = codec_decompress_lz4_block(rig, src, dst);

	rig_drop(src);
	rig_drop(dst);
	return result;
}

int main(void)
{
	static const size_t lengths[] = { 1, 12, 13, 4096, 65536, 65537, 1000000 };
	struct rig rig;
	size_t len;

	codec_open(&rig);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct codec_result result = decompress(&rig, make_block(&rig, lengths[i]), lengths[i]);

		CHECK_OK(result.status);
		CHECK_EQ(result.produced, lengths[i]);
		CHECK(memcmp(rig.memory, rig.memory + BACK, lengths[i]) == 0);
		CHECK(result.crc == libdeflate_crc32(0, rig.memory, lengths[i]));
		CHECK(result.checksum == htobe32(XXH32(rig.memory, lengths[i], 0)));
	}
	len = make_block(&rig, 4096);
	CODEC_CHECK_FAILS(decompress(&rig, len, 4095));
	CODEC_CHECK_FAILS(decompress(&rig, len - 1, ROOM));
	memset(rig.memory + AT, 0xff, len);
	CODEC_CHECK_FAILS(decompress(&rig, len, ROOM));
	rig_close(&rig);
	return 0;
}
