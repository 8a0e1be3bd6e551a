/*
 * Buffers may be released, and reused, while their task is in flight: it uses their state at submission. The task's map and
 * device cannot be stopped or closed until it has ended.
 */
#include <libdeflate.h>

#include "rig.h"

enum { LEN = 20000, AT = 1 << 20, ROOM = 1 << 20 };

int main(void)
{
	struct rig rig;
	struct doca_compress_task_compress_deflate *task;
	struct libdeflate_decompressor *decoder = libdeflate_alloc_decompressor();
	struct doca_buf *src, *dst, *other;
	union doca_data none = { 0 };
	uint8_t *back = malloc(LEN);

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	softdpu_clock_set_manual(1); /* the task stays in flight until the clock advances */
	rig_open(&rig, 1);
	CHECK_OK(doca_ctx_start(rig.ctx));
	src = rig_source(&rig, 0, LEN);
	dst = rig_room(&rig, AT, ROOM);
	CHECK_OK(doca_compress_task_compress_deflate_alloc_init(rig.compress, src, dst, none, &task));
	CHECK_OK(doca_task_submit(doca_compress_task_compress_deflate_as_task(task)));
	rig_drop(src);
	rig_drop(dst);
	other = rig_room(&rig, 2 << 20, 100); /* most likely the same object as one of those */
	CHECK_ERROR(doca_mmap_stop(rig.map), DOCA_ERROR_NOT_PERMITTED);
	rig_drop(other);
	CHECK_ERROR(doca_mmap_stop(rig.map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_destroy(rig.map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_dev_close(rig.dev), DOCA_ERROR_IN_USE);
	other = rig_room(&rig, 2 << 20, 100);

	softdpu_clock_set_manual(0);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 1);
	CHECK_EQ(rig_data_len(other), 0);
	CHECK(libdeflate_deflate_decompress(decoder, rig.memory + AT, ROOM, back, LEN, NULL) == LIBDEFLATE_SUCCESS);
	CHECK(memcmp(back, rig.memory, LEN) == 0);
	rig_drop(other);
	libdeflate_free_decompressor(decoder);
	free(back);
	rig_close(&rig);
	return 0;
}
