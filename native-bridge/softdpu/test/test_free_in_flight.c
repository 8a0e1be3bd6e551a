/*
 * A task that is freed in flight ends without a callback. The task counts as allocated until its end; its context becomes IDLE
 * after it, and its place in the pool becomes free.
 */
#include "comch_data.h"

enum { TASKS = 4, POSTS = 8 };

static struct doca_compress_task_compress_deflate *submit(struct rig *rig, uint64_t n)
{
	struct doca_compress_task_compress_deflate *task;
	union doca_data data = { .u64 = n };

	CHECK_OK(doca_compress_task_compress_deflate_alloc_init(rig->compress, rig_source(rig, n * RIG_SLOT, 100),
								rig_room(rig, (1 << 20) + n * RIG_SLOT, RIG_SLOT), data, &task));
	CHECK_OK(doca_task_submit(doca_compress_task_compress_deflate_as_task(task)));
	return task;
}

static void drop_buffers(struct doca_compress_task_compress_deflate *task)
{
	rig_drop((struct doca_buf *)doca_compress_task_compress_deflate_get_src(task));
	rig_drop(doca_compress_task_compress_deflate_get_dst(task));
}

static void keep(struct rig *rig, struct doca_task *task)
{
	(void)rig;
	drop_buffers((struct doca_compress_task_compress_deflate *)task);
	doca_task_free(task);
}

/* One of TASKS tasks is freed at once; the others complete, and the place becomes free. */
static void run(enum softdpu_execution execution)
{
	struct doca_compress_task_compress_deflate *dropped;
	struct doca_task *task;
	struct rig rig;
	size_t in_flight;

	CHECK_OK(softdpu_set_execution(execution));
	rig_open(&rig, TASKS);
	rig.on_task = keep;
	CHECK_OK(doca_ctx_start(rig.ctx));
	dropped = submit(&rig, 0);
	for (uint64_t n = 1; n < TASKS; n++)
		submit(&rig, n);
	task = doca_compress_task_compress_deflate_as_task(dropped);
	drop_buffers(dropped);
	doca_task_free(task);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_get_num_inflight_tasks(rig.ctx, &in_flight));
	CHECK_EQ(in_flight, TASKS);
	RIG_PROGRESS_UNTIL(rig.pe, doca_ctx_get_num_inflight_tasks(rig.ctx, &in_flight) == DOCA_SUCCESS && in_flight == 0);
	CHECK_EQ(rig.completed, TASKS - 1);
	CHECK_EQ(rig.failed, 0);

	for (uint64_t n = 0; n < TASKS; n++)
		submit(&rig, n);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 2 * TASKS - 1);
	rig_close(&rig);
}

/* All tasks are freed, then the context is stopped: it becomes IDLE without callbacks of tasks. */
static void stop_after(enum softdpu_execution execution)
{
	struct doca_compress_task_compress_deflate *tasks[TASKS];
	struct rig rig;

	CHECK_OK(softdpu_set_execution(execution));
	rig_open(&rig, TASKS);
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (uint64_t n = 0; n < TASKS; n++)
		tasks[n] = submit(&rig, n);
	for (uint64_t n = 0; n < TASKS; n++) {
		drop_buffers(tasks[n]);
		doca_task_free(doca_compress_task_compress_deflate_as_task(tasks[n]));
	}
	CHECK_ERROR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig.pe, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig.completed + rig.failed, 0);
	rig_close(&rig);
}

static struct doca_task *posted[POSTS];
static struct doca_buf *posted_bufs[POSTS];

static void post_kept(struct data *data, int n)
{
	struct doca_comch_consumer_task_post_recv *task;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(data->inventory, data->map, data->memory + (size_t)n * DATA_SLOT, DATA_SLOT,
						    &posted_bufs[n]));
	CHECK_OK(doca_comch_consumer_task_post_recv_alloc_init(data->consumer, posted_bufs[n], &task));
	posted[n] = doca_comch_consumer_task_post_recv_as_task(task);
	CHECK_OK(doca_task_submit(posted[n]));
}

/* A consumer whose buffers are posted and released, and whose tasks are freed, before the stop. */
static void consumer(enum softdpu_execution execution)
{
	struct side server, client;
	struct data data;

	CHECK_OK(softdpu_set_execution(execution));
	sides_open(&server, &client, "free-in-flight");
	data_create_consumer(&data, &client, client.pe);
	data_start_consumer(&data, &client, &server);
	for (int n = 0; n < POSTS; n++)
		post_kept(&data, n);
	for (int n = 0; n < POSTS; n++) {
		rig_drop(posted_bufs[n]);
		doca_task_free(posted[n]);
	}
	data_stop(&data, &client, &server);
	CHECK_EQ(data.completed + data.failed, 0);
	data_close(&data);
	sides_close(&server, &client);
}

int main(void)
{
	make_own_folder();
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	stop_after(SOFTDPU_EXECUTION_THREADS);
	stop_after(SOFTDPU_EXECUTION_INLINE);
	consumer(SOFTDPU_EXECUTION_THREADS);
	consumer(SOFTDPU_EXECUTION_INLINE);
	remove_own_folder();
	return 0;
}
