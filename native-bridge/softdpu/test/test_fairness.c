/* Several contexts on one engine take turns, one completion per progress call. */
#include "rig.h"

enum { CONTEXTS = 3, TASKS = 20 };

static int turns[CONTEXTS * TASKS];
static int num_turns;

struct member {
	struct doca_compress *compress;
	int index;
};

static void count_turn(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct member *member = ctx_data.ptr;

	(void)task_data;
	turns[num_turns++] = member->index;
	doca_task_free(task);
}

static void open_member(struct rig *rig, struct member *member, int index)
{
	union doca_data data = { .ptr = member };

	member->index = index;
	CHECK_OK(doca_compress_create(rig->dev, &member->compress));
	CHECK_OK(doca_pe_connect_ctx(rig->pe, doca_compress_as_ctx(member->compress)));
	CHECK_OK(doca_ctx_set_user_data(doca_compress_as_ctx(member->compress), data));
	CHECK_OK(doca_compress_task_compress_deflate_set_conf(member->compress, RIG_CALLBACK(compress_deflate, count_turn),
							      RIG_CALLBACK(compress_deflate, count_turn), TASKS));
	CHECK_OK(doca_ctx_start(doca_compress_as_ctx(member->compress)));
}

static void submit_all(struct rig *rig, struct member *member)
{
	struct doca_compress_task_compress_deflate *task;
	struct doca_buf *src = rig_source(rig, 0, 64), *dst = rig_room(rig, 4096, 256);
	union doca_data none = { 0 };

	for (int i = 0; i < TASKS; i++) {
		CHECK_OK(doca_compress_task_compress_deflate_alloc_init(member->compress, src, dst, none, &task));
		CHECK_OK(doca_task_submit(doca_compress_task_compress_deflate_as_task(task)));
	}
	rig_drop(src);
	rig_drop(dst);
}

int main(void)
{
	struct rig rig;
	struct member members[CONTEXTS];
	size_t in_flight;

	/* The null device completes all tasks before the first progress, so the order depends only on the engine. */
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_OK(softdpu_set_null(1));
	rig_open(&rig, 0);
	for (int i = 0; i < CONTEXTS; i++)
		open_member(&rig, &members[i], i);
	for (int i = 0; i < CONTEXTS; i++)
		submit_all(&rig, &members[i]);
	for (int i = 0; i < CONTEXTS * TASKS; i++) {
		CHECK_EQ(doca_pe_progress(rig.pe), 1);
		CHECK_EQ(num_turns, i + 1);
		CHECK_EQ(turns[i], i % CONTEXTS);
	}
	CHECK_EQ(doca_pe_progress(rig.pe), 0);
	CHECK_OK(doca_pe_get_num_inflight_tasks(rig.pe, &in_flight));
	CHECK_EQ(in_flight, 0);
	for (int i = 0; i < CONTEXTS; i++) {
		CHECK_OK(doca_ctx_stop(doca_compress_as_ctx(members[i].compress)));
		CHECK_OK(doca_compress_destroy(members[i].compress));
	}
	rig_close(&rig);
	return 0;
}
