/* Inline execution: the same seed and the same calls give the same order, times and faults; other seeds give others. */
#include "rig.h"

enum { SEEDS = 100, TASKS = 24, BATCH = 8 };

struct trace {
	uint64_t order[TASKS];
	uint64_t times[TASKS];
	uint64_t statuses;
	int count;
};

static void note(struct rig *rig, struct doca_task *task)
{
	struct trace *trace = rig->test;

	trace->order[trace->count] = doca_task_get_user_data(task).u64;
	trace->times[trace->count] = softdpu_clock_now();
	trace->statuses |= (uint64_t)(doca_task_get_status(task) != DOCA_SUCCESS) << trace->count;
	trace->count++;
	doca_task_free(task);
}

static struct trace run(struct rig *rig, uint64_t seed)
{
	struct trace trace = { .count = 0 };

	CHECK_OK(softdpu_set_seed(seed));
	rig->test = &trace;
	CHECK_OK(doca_ctx_start(rig->ctx));
	for (uint64_t i = 0; i < TASKS; i += BATCH) {
		for (uint64_t k = 0; k < BATCH; k++)
			rig_submit(rig, i + k);
		for (int k = 0; k < BATCH / 2; k++)
			CHECK_EQ(doca_pe_progress(rig->pe), 1);
	}
	while (trace.count < TASKS)
		CHECK_EQ(doca_pe_progress(rig->pe), 1);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	CHECK_OK(doca_ctx_stop(rig->ctx));
	rig->completed = rig->failed = rig->num_states = 0;
	return trace;
}

int main(void)
{
	struct rig rig;
	struct trace first, second, previous = { .count = 0 };
	int different = 0;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_OK(softdpu_faults_set("*:fail:p=0.2;*:delay=20us:p=0.3"));
	rig_open(&rig, TASKS);
	rig.on_task = note;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		first = run(&rig, seed);
		second = run(&rig, seed);
		CHECK(memcmp(&first, &second, sizeof(first)) == 0);
		for (int i = 1; i < TASKS; i++)
			CHECK(first.times[i] >= first.times[i - 1]);
		different += memcmp(first.order, previous.order, sizeof(first.order)) != 0;
		previous = first;
	}
	CHECK_EQ(different, SEEDS);
	rig_close(&rig);
	return 0;
}
