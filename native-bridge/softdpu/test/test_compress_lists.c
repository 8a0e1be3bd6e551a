/* Lists of buffers: input is gathered, output is scattered over the elements, the length is limited. */
#include "codec.h"

enum { LEN = 100000, AT = 1 << 20, BACK = 2 << 20, ROOM = 200000 };

static void round_trip(struct rig *rig, int pieces_in, int pieces_between, int pieces_out)
{
	struct doca_buf *src = codec_list(rig, 0, LEN, pieces_in, 1), *middle = codec_list(rig, AT, ROOM, pieces_between, 0);
	struct codec_result compressed = codec_compress_deflate(rig, src, middle), decompressed;
	struct doca_buf *dst = codec_list(rig, BACK, LEN, pieces_out, 0);

	CHECK_OK(compressed.status);
	decompressed = codec_decompress_deflate(rig, middle, dst);
	CHECK_OK(decompressed.status);
	CHECK_EQ(decompressed.produced, LEN);
	CHECK(decompressed.crc == compressed.crc && decompressed.checksum == compressed.checksum);
	CHECK(memcmp(rig->memory, rig->memory + BACK, LEN) == 0);
	rig_drop(src);
	rig_drop(middle);
	rig_drop(dst);
}

/* Elements are filled one after the other, after their content. */
static void elements_fill_in_order(struct rig *rig)
{
	struct doca_buf *src = rig_source(rig, 0, 60), *dst = rig_room(rig, AT, 40), *second = rig_room(rig, AT + 100, 30);
	struct doca_buf *third = rig_room(rig, AT + 200, 50), *back = rig_room(rig, BACK, 60);
	struct codec_result result;
	size_t len;

	CHECK_OK(doca_buf_set_data_len(dst, 25));
	CHECK_OK(doca_buf_chain_list(dst, second));
	CHECK_OK(doca_buf_chain_list(dst, third));
	result = codec_compress_deflate(rig, src, dst);
	CHECK_OK(result.status);
	len = result.produced;
	CHECK(len > 15); /* the output must reach the second element */
	CHECK_EQ(rig_data_len(dst), 40);
	CHECK_EQ(rig_data_len(second), len - 15 < 30 ? len - 15 : 30);
	CHECK_EQ(rig_data_len(third), len - 15 < 30 ? 0 : len - 45);
	CHECK_OK(doca_buf_set_data(dst, rig->memory + AT + 25, 15));
	CHECK_OK(codec_decompress_deflate(rig, dst, back).status);
	CHECK(memcmp(rig->memory, rig->memory + BACK, 60) == 0);
	rig_drop(src);
	rig_drop(dst);
	rig_drop(back);
}

static void too_long(struct rig *rig)
{
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(rig->dev);
	struct doca_buf *list, *buf = rig_room(rig, AT, ROOM);
	uint32_t most;

	CHECK_OK(doca_compress_cap_task_compress_deflate_get_max_buf_list_len(devinfo, &most));
	round_trip(rig, (int)most, (int)most, (int)most);
	list = codec_list(rig, 0, LEN, (int)most + 1, 1);
	CODEC_CHECK_FAILS(codec_compress_deflate(rig, list, buf));
	rig_drop(list);
	rig_drop(buf);
	list = codec_list(rig, AT, ROOM, (int)most + 1, 0);
	buf = rig_source(rig, 0, LEN);
	CODEC_CHECK_FAILS(codec_compress_deflate(rig, buf, list));
	rig_drop(list);
	rig_drop(buf);
}

static void too_little_room(struct rig *rig)
{
	struct doca_buf *src = rig_source(rig, 0, 5000), *dst = codec_list(rig, AT, 12, 3, 0);

	CODEC_CHECK_FAILS(codec_compress_deflate(rig, src, dst));
	rig_drop(src);
	rig_drop(dst);
}

int main(void)
{
	struct rig rig;

	codec_open(&rig);
	round_trip(&rig, 1, 1, 1);
	round_trip(&rig, 2, 1, 1);
	round_trip(&rig, 1, 2, 1);
	round_trip(&rig, 1, 1, 2);
	round_trip(&rig, 3, 5, 7);
	elements_fill_in_order(&rig);
	too_long(&rig);
	too_little_room(&rig);
	rig_close(&rig);
	return 0;
}
