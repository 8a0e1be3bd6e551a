/* Deflate compression: a raw stream, checksums of the input, output appended to the destination, errors. */
#include <libdeflate.h>

#include "codec.h"

enum { AT = 2 << 20, ROOM = 1 << 20, BACK = 3 << 20 };

/* Inflates the data at AT with the reference decoder and compares. */
static void check_inflates(struct rig *rig, size_t compressed, size_t offset, size_t len)
{
	struct libdeflate_decompressor *decoder = libdeflate_alloc_decompressor();
	size_t used, produced;

	CHECK(libdeflate_deflate_decompress_ex(decoder, rig->memory + AT, compressed, rig->memory + BACK, ROOM, &used,
					       &produced) == LIBDEFLATE_SUCCESS);
	CHECK_EQ(used, compressed);
	CHECK_EQ(produced, len);
	CHECK(memcmp(rig->memory + BACK, rig->memory + offset, len) == 0);
	libdeflate_free_decompressor(decoder);
}

static void compress(struct rig *rig, size_t offset, size_t len)
{
	struct doca_buf *src = rig_source(rig, offset, len), *dst = rig_room(rig, AT, ROOM);
	struct codec_result result = codec_compress_deflate(rig, src, dst);

	CHECK_OK(result.status);
	CHECK(result.crc == libdeflate_crc32(0, rig->memory + offset, len));
	CHECK(result.checksum == libdeflate_adler32(1, rig->memory + offset, len));
	check_inflates(rig, result.produced, offset, len);
	rig_drop(src);
	rig_drop(dst);
}

/* Published check values of the two checksums for these nine bytes. */
static void known_checksums(struct rig *rig)
{
	struct doca_buf *src, *dst = rig_room(rig, AT, ROOM);
	struct codec_result result;

	memcpy(rig->memory, "123456789", 9);
	src = rig_source(rig, 0, 9);
	result = codec_compress_deflate(rig, src, dst);
	CHECK_OK(result.status);
	CHECK(result.crc == 0xcbf43926u);
	CHECK(result.checksum == 0x091e01deu);
	rig_drop(src);
	rig_drop(dst);
}

static void sizes(struct rig *rig)
{
	static const size_t lengths[] = { 1, 2, 3, 255, 256, 257, 4095, 4096, 4097, 65535, 65536, 65537, 1000003 };
	uint64_t random = 42;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		compress(rig, 17, lengths[i]);
	for (size_t i = 0; i < ROOM; i++)
		rig->memory[i] = (uint8_t)((random = random * 6364136223846793005u + 1442695040888963407u) >> 56);
	compress(rig, 1, 900000); /* incompressible */
	memset(rig->memory, 0, ROOM);
	compress(rig, 0, ROOM);
}

/* Output is appended to the destination's content. */
static void appends(struct rig *rig)
{
	struct doca_buf *src = rig_source(rig, 0, 500), *dst = rig_room(rig, AT - 10, ROOM);
	struct codec_result result;

	memcpy(rig->memory + AT - 10, "0123456789", 10);
	CHECK_OK(doca_buf_set_data_len(dst, 10));
	result = codec_compress_deflate(rig, src, dst);
	CHECK_OK(result.status);
	CHECK_EQ(rig_data_len(dst), 10 + result.produced);
	CHECK(memcmp(rig->memory + AT - 10, "0123456789", 10) == 0);
	check_inflates(rig, result.produced, 0, 500);
	rig_drop(src);
	rig_drop(dst);
}

static void too_little_room(struct rig *rig)
{
	struct doca_buf *src = rig_source(rig, 0, 5000), *dst = rig_room(rig, AT, 8);

	memset(rig->memory + AT, 0x5a, 16);
	CODEC_CHECK_FAILS(codec_compress_deflate(rig, src, dst));
	CHECK_EQ(rig->memory[AT + 8], 0x5a);
	rig_drop(dst);
	dst = rig_source(rig, AT, 64); /* full */
	CODEC_CHECK_FAILS(codec_compress_deflate(rig, src, dst));
	rig_drop(src);
	rig_drop(dst);
}

/* A destination of any size holds the complete stream, or the task fails. No coder writes behind its room. */
static void rooms(struct rig *rig)
{
	enum { LEN = 3000, MOST = 4000 };
	int successes = 0;

	for (size_t room = 1; room < MOST; room += 13) {
		struct doca_buf *src = rig_source(rig, 0, LEN), *dst = rig_room(rig, AT, room);
		struct codec_result result;

		memset(rig->memory + AT + room, 0x5a, 64);
		result = codec_compress_deflate(rig, src, dst);
		CHECK(result.status == DOCA_SUCCESS || (result.status == DOCA_ERROR_IO_FAILED && result.produced == 0));
		for (size_t i = 0; i < 64; i++)
			CHECK_EQ(rig->memory[AT + room + i], 0x5a);
		if (result.status == DOCA_SUCCESS)
			check_inflates(rig, result.produced, 0, LEN);
		successes += result.status == DOCA_SUCCESS;
		rig_drop(src);
		rig_drop(dst);
	}
	CHECK(successes > 0 && successes < MOST / 13);
}

/* Plain submit accepts a task that cannot succeed, and the device fails it; try_submit refuses it. */
static void empty_source(struct rig *rig)
{
	struct doca_compress_task_compress_deflate *task;
	struct doca_buf *src = rig_room(rig, 0, 100), *dst = rig_room(rig, AT, ROOM), *good = rig_source(rig, 0, 100);
	union doca_data none = { 0 };
	struct doca_task *base;

	CODEC_CHECK_FAILS(codec_compress_deflate(rig, src, dst));
	CHECK_OK(doca_compress_task_compress_deflate_alloc_init(rig->compress, src, dst, none, &task));
	base = doca_compress_task_compress_deflate_as_task(task);
	CHECK_ERROR(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(rig_in_flight(rig), 0);
	doca_compress_task_compress_deflate_set_src(task, NULL);
	CHECK_ERROR(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(codec_wait(rig, base), DOCA_ERROR_IO_FAILED);
	doca_compress_task_compress_deflate_set_src(task, good); /* the same task with another source */
	doca_compress_task_compress_deflate_set_dst(task, NULL);
	CHECK_ERROR(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(codec_wait(rig, base), DOCA_ERROR_IO_FAILED);
	doca_compress_task_compress_deflate_set_dst(task, dst);
	CHECK_OK(doca_task_try_submit(base));
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_OK(doca_task_get_status(base));
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_RUNNING); /* a failed task does not stop the context */
	doca_task_free(base);
	rig_drop(src);
	rig_drop(dst);
	rig_drop(good);
}

/* Every level produces a stream with the same content. */
static void levels(void)
{
	for (int level = 1; level <= 12; level += 11) {
		struct rig rig;

		CHECK_OK(softdpu_set_deflate_level(level));
		codec_open(&rig);
		compress(&rig, 0, 200000);
		rig_close(&rig);
	}
	CHECK_ERROR(softdpu_set_deflate_level(0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_set_deflate_level(13), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	struct rig rig;

	codec_open(&rig);
	known_checksums(&rig);
	appends(&rig);
	too_little_room(&rig);
	rooms(&rig);
	empty_source(&rig);
	sizes(&rig);
	rig_close(&rig);
	levels();
	return 0;
}
