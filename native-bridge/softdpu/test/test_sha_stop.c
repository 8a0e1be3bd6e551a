/*
 * A stop with tasks in flight ends each one once; tasks that are freed in flight end without a callback. Buffers are released
 * while their task is in flight (Q22). The state of a partial hash is freed with its task.
 */
#include "sha.h"

enum { LOG_TASKS = 6, TASKS = 1 << LOG_TASKS, LEN = 10000 };

static void submit_hash(struct hasher *hasher, uint64_t n)
{
	struct doca_buf *src = rig_source(&hasher->rig, n * LEN, LEN), *dst = rig_room(&hasher->rig, SHA_AT + n * 64, 64);
	union doca_data data = { .u64 = n };
	struct doca_sha_task_hash *task;

	CHECK_OK(doca_sha_task_hash_alloc_init(hasher->sha, DOCA_SHA_ALGORITHM_SHA512, src, dst, data, &task));
	CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
	rig_drop(src);
	rig_drop(dst);
}

static struct doca_task *submit_part(struct hasher *hasher, uint64_t n)
{
	struct doca_buf *src = rig_source(&hasher->rig, n * LEN, 128), *dst = rig_room(&hasher->rig, SHA_AT + n * 64, 64);
	struct doca_task *task =
		doca_sha_task_partial_hash_as_task(sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA512, src, dst));

	CHECK_OK(doca_task_submit(task));
	rig_drop(src);
	rig_drop(dst);
	return task;
}

static void stops(struct hasher *hasher)
{
	for (uint64_t n = 0; n < TASKS; n++) {
		submit_hash(hasher, n);
		submit_part(hasher, n);
	}
	rig_stop(&hasher->rig);
	CHECK_EQ(hasher->rig.completed + hasher->rig.failed, 2 * TASKS);
	CHECK_OK(doca_ctx_start(hasher->rig.ctx));
	submit_hash(hasher, 0); /* the context works again */
	RIG_PROGRESS_UNTIL(hasher->rig.pe, rig_in_flight(&hasher->rig) == 0);
	CHECK_OK(hasher->rig.last_status);
}

static void freed_in_flight(struct hasher *hasher)
{
	for (uint64_t n = 0; n < TASKS; n++)
		doca_task_free(submit_part(hasher, n));
	rig_stop(&hasher->rig);
	CHECK_EQ(hasher->rig.completed + hasher->rig.failed, 0);
}

/* A context with an allocated task does not become IDLE; the map stays in use while a task is in flight (Q15, Q23). */
static void unfinished(struct hasher *hasher)
{
	struct doca_task *task;

	task = submit_part(hasher, 0);
	hasher->rig.keep_tasks = 1;
	CHECK_ERROR(doca_mmap_stop(hasher->rig.map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_inventory_destroy(hasher->rig.inventory), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_ctx_stop(hasher->rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(hasher->rig.pe, rig_in_flight(&hasher->rig) == 0);
	CHECK_EQ(rig_state(&hasher->rig), DOCA_CTX_STATE_STOPPING);
	CHECK_ERROR(doca_sha_destroy(hasher->sha), DOCA_ERROR_IN_USE);
	doca_task_free(task);
}

int main(void)
{
	sha_in_both_modes(stops, LOG_TASKS);
	sha_in_both_modes(freed_in_flight, LOG_TASKS);
	sha_in_both_modes(unfinished, 0);
	return 0;
}
