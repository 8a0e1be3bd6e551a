/* The fault plan: its grammar, and the effect of each action and selector on tasks, in both execution modes. */
#include <locale.h>

#include "doca_log.h"
#include "rig.h"

/* Replaces libc's function by that of a locale with a decimal comma. */
double strtod(const char *text, char **end)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
	char copy[64] = "", *stop;
	double value;

	strncat(copy, text, strcspn(text, "."));
	for (char *comma = strchr(copy, ','); comma != NULL; comma = strchr(comma, ','))
		*comma = '.';
	value = strtod_l(copy, &stop, plain);
	freelocale(plain);
	*end = (char *)(uintptr_t)text + (stop - copy);
	return value;
}

static void grammar(void)
{
	static const char *const good[] = {
		"", ";;", "*:fail", " compress-deflate : fail = IO_FAILED : nth=3 ; *:delay=2ms:every=10 ",
		"*:fail=DOCA_ERROR_TIME_OUT", "*:fail=DEVICE_FATAL_ERROR", "*:delay=1ns", "*:delay=1us",
		"*:delay=3s:first=2:p=0.5", "*:again", "*:again=7:p=1",
		"decompress-lz4-block:corrupt:p=0", "sha-hash:lost:nth=1;ec-create:lost:nth=2", "*:twice",
	};
	static const char *const bad[] = {
		"fail", "*", "*:", ":fail", "*:explode", "*:fail=NO_SUCH_ERROR", "*:fail=SUCCESS", "*:delay", "*:delay=5", "*:delay=ms",
		"*:delay=-1ms", "*:delay=99999999999s", "*:again=0", "*:again=x", "*:corrupt=1", "*:lost=1", "*:twice=2", "*:fail:nth", "*:fail:nth=0",
		"*:fail:every=x", "*:fail:p=1.5", "*:fail:p=-0.1", "*:fail:p=nan", "*:fail:p=0,5", "*:fail:p=", "*:fail:", "*:fail:soon", "*:fail;*:explode", "compres-deflate:fail",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CHECK_OK(softdpu_faults_set(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (softdpu_faults_set(bad[i]) == DOCA_ERROR_INVALID_VALUE)
			continue;
		fprintf(stderr, "accepted: \"%s\"\n", bad[i]);
		exit(1);
	}
	CHECK_ERROR(softdpu_faults_set(NULL), DOCA_ERROR_INVALID_VALUE);
	softdpu_faults_clear();
}

/* A plan of many rules. */
static doca_error_t set_rules(int count)
{
	char plan[1024] = "";

	for (int i = 0; i < count; i++)
		strcat(plan, "*:fail;");
	return softdpu_faults_set(plan);
}

static void largest_plan(void)
{
	CHECK_OK(set_rules(64));
	CHECK_ERROR(set_rules(65), DOCA_ERROR_INVALID_VALUE);
	softdpu_faults_clear();
}

/* Submits count tasks and waits for each; records in failures which ones failed. */
static void run(struct rig *rig, const char *plan, int count, uint64_t *failures)
{
	CHECK_OK(softdpu_faults_set(plan));
	rig->completed = rig->failed = 0;
	*failures = 0;
	for (int i = 0; i < count; i++) {
		int failed = rig->failed;

		rig_submit(rig, (uint64_t)i);
		RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
		*failures |= (uint64_t)(rig->failed > failed) << i;
	}
}

static void selectors(struct rig *rig)
{
	struct softdpu_fault_counters counters;
	uint64_t failures, again;

	run(rig, "*:fail", 3, &failures);
	CHECK_EQ(failures, 7);
	CHECK_EQ(rig->last_status, DOCA_ERROR_IO_FAILED);
	run(rig, "compress-deflate:fail=TIME_OUT:nth=3", 8, &failures);
	CHECK_EQ(failures, 4);
	run(rig, "compress-deflate:fail:every=3", 8, &failures);
	CHECK_EQ(failures, 0x24);
	run(rig, "*:fail:first=2", 8, &failures);
	CHECK_EQ(failures, 3);
	run(rig, "*:fail:first=6:every=2", 8, &failures);
	CHECK_EQ(failures, 0x2a);
	run(rig, "decompress-deflate:fail", 8, &failures);
	CHECK_EQ(failures, 0);
	run(rig, "*:fail:nth=1;*:fail:nth=4", 8, &failures);
	CHECK_EQ(failures, 9);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.submissions, 8);
	CHECK_EQ(counters.failed, 2);
	run(rig, "*:fail:p=0.5", 60, &failures); /* the seed determines the result, always the same */
	run(rig, "*:fail:p=0.5", 60, &again);
	CHECK_EQ(failures, again);
	CHECK(rig->failed > 10 && rig->failed < 50);
	run(rig, "*:fail:p=0", 20, &failures);
	CHECK_EQ(failures, 0);
}

/* Each rule counts the submissions that it concerns, and a new plan or seed begins again. */
static void fired_rules(struct rig *rig)
{
	uint64_t fired[4] = {9, 9, 9, 9};
	uint64_t failures;

	run(rig, "*:fail:nth=3;*:delay=1us:first=2;alloc-key:fail", 5, &failures);
	CHECK_EQ(failures, 1u << 2);
	CHECK_EQ(softdpu_faults_get_fired(fired, 4), 3);
	CHECK_EQ(fired[0], 1);
	CHECK_EQ(fired[1], 2);
	CHECK_EQ(fired[2], 0);
	CHECK_EQ(fired[3], 9);

	CHECK_OK(softdpu_faults_set("*:delay=1us;*:fail"));
	fired[1] = 9;
	CHECK_EQ(softdpu_faults_get_fired(fired, 1), 2);
	CHECK_EQ(fired[0], 0);
	CHECK_EQ(fired[1], 9);
	softdpu_faults_clear();
	CHECK_EQ(softdpu_faults_get_fired(fired, 4), 0);
}

static void named_error(struct rig *rig)
{
	uint64_t failures;

	run(rig, "*:fail=CONNECTION_RESET", 1, &failures);
	CHECK_EQ(rig->last_status, DOCA_ERROR_CONNECTION_RESET);
}

/* submit returns AGAIN, the program keeps the task, and all attempts count as one submission. */
static void again(struct rig *rig)
{
	struct softdpu_fault_counters counters;
	struct doca_task *task;
	uint64_t fired[2];

	CHECK_OK(softdpu_faults_set("*:again=3:nth=2;*:fail:nth=2"));
	rig_submit(rig, 0);
	CHECK_OK(rig_alloc(rig, 1, &task));
	for (int i = 0; i < 3; i++) {
		CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
		CHECK(rig_in_flight(rig) <= 1);
	}
	rig->failed = 0;
	CHECK_OK(doca_task_submit(task)); /* the second submission, also for the other rule */
	rig_drop_buffers(task);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->failed, 1);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.again, 3);
	CHECK_EQ(counters.failed, 1);
	CHECK_EQ(softdpu_faults_get_fired(fired, 2), 2);
	CHECK_EQ(fired[0], 1);
	CHECK_EQ(fired[1], 1);
}

/* The rule also counts a submission once: it is accepted after its refusals, and the next one has the next number. */
static void again_counts_submissions(struct rig *rig)
{
	CHECK_OK(softdpu_faults_set("*:again=2:every=2"));
	for (uint64_t i = 0; i < 6; i++) {
		struct doca_task *task;

		CHECK_OK(rig_alloc(rig, i, &task));
		for (int k = 0; k < 2 * (int)(i % 2); k++)
			CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
		CHECK_OK(doca_task_submit(task));
		rig_drop_buffers(task);
		RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	}
}

/* Submits a task, which is refused this number of times first. */
static void submit_after(struct rig *rig, int refusals)
{
	struct doca_task *task;

	CHECK_OK(rig_alloc(rig, 1, &task));
	for (int i = 0; i < refusals; i++)
		CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	CHECK_OK(doca_task_submit(task));
	rig_drop_buffers(task);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
}

/* No rule counts the repetitions that another rule causes. */
static void again_of_two_rules(struct rig *rig)
{
	static const int refusals[] = { 1, 0, 1, 0 };
	struct softdpu_fault_counters counters;
	uint64_t fired[2];

	CHECK_OK(softdpu_faults_set("*:again:nth=3;*:again:nth=1"));
	for (int i = 0; i < 4; i++)
		submit_after(rig, refusals[i]);
	CHECK_EQ(softdpu_faults_get_fired(fired, 2), 2);
	CHECK_EQ(fired[0], 1);
	CHECK_EQ(fired[1], 1);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.again, 2);

	CHECK_OK(softdpu_faults_set("*:again=2:nth=1;compress-deflate:again=3:nth=1"));
	submit_after(rig, 2 + 3);
	submit_after(rig, 0);
}

/* A program may free a refused task: the refusal has no further effect. */
static void given_up(struct rig *rig)
{
	struct doca_task *task;

	CHECK_OK(softdpu_faults_set("*:again=2:nth=1"));
	CHECK_OK(rig_alloc(rig, 1, &task));
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_AGAIN);
	doca_task_free(task);
	rig_drop_buffers(task);
}

static void corrupt(struct rig *rig)
{
	uint8_t right[512];
	int different = 0;
	uint64_t failures;

	run(rig, "", 1, &failures);
	memcpy(right, rig->memory + 512, sizeof(right));
	run(rig, "*:corrupt", 1, &failures);
	CHECK_EQ(failures, 0);
	for (size_t i = 0; i < sizeof(right); i++)
		different += __builtin_popcount(right[i] ^ rig->memory[512 + i]);
	CHECK_EQ(different, 1);
}

/* Other tasks complete before a delayed one, which completes later. */
static void delay(struct rig *rig)
{
	uint64_t before;

	CHECK_OK(softdpu_faults_set("*:delay=30ms:nth=1"));
	rig->completed = rig->failed = 0;
	before = softdpu_clock_now();
	rig_submit(rig, 100);
	rig_submit(rig, 101);
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 2);
	CHECK_EQ(rig->order[0], 101);
	CHECK_EQ(rig->order[1], 100);
	CHECK(softdpu_clock_now() - before >= 30000000);
}

/* A delayed task is in flight when its context stops: the stop waits for it, and the task ends with its result. */
static void delayed_beyond_stop(struct rig *rig)
{
	CHECK_OK(softdpu_faults_set("*:delay=50ms:nth=1"));
	rig->completed = rig->failed = 0;
	rig_submit(rig, 100);
	rig_submit(rig, 101);
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 1); /* the queue is FIFO: the delayed task was executed */
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->pe, rig_state(rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig->completed, 2);
	CHECK_EQ(rig->failed, 0);
}

/* Submits a task once again from its callback. */
static void submit_once(struct rig *rig, struct doca_task *task)
{
	if (rig->completed == 1)
		CHECK_OK(doca_task_submit(task));
	else
		doca_task_free(task);
}

/* The callback runs again if the program keeps the task, and not if it frees or submits it. A stop waits for the second report. */
static void twice(struct rig *rig)
{
	struct softdpu_fault_counters counters;
	struct doca_task *task;

	CHECK_OK(softdpu_faults_set("*:twice:nth=1"));
	rig->completed = rig->failed = 0;
	rig->keep_tasks = 1;
	task = rig_submit(rig, 100);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->completed, 2);
	CHECK_EQ(rig->order[1], 100);
	doca_task_free(task);
	rig_submit(rig, 101);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->completed, 3);
	doca_task_free(rig->last_task);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.doubled, 1);

	CHECK_OK(softdpu_faults_set("*:twice"));
	rig->completed = rig->keep_tasks = 0;
	rig_submit(rig, 102);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->completed, 1);

	CHECK_OK(softdpu_faults_set("*:twice:nth=1"));
	rig->completed = 0;
	rig->on_task = submit_once;
	CHECK_OK(rig_alloc(rig, 103, &task));
	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->completed, 2);
	rig_drop_buffers(task);
	rig->on_task = NULL;

	CHECK_OK(softdpu_faults_set("*:twice"));
	rig->completed = 0;
	rig->keep_tasks = 1;
	task = rig_submit(rig, 104);
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 1);
	CHECK_EQ(rig_in_flight(rig), 1);
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
	CHECK_EQ(rig->completed, 2);
	doca_task_free(task);
	RIG_PROGRESS_UNTIL(rig->pe, rig_state(rig) == DOCA_CTX_STATE_IDLE);
	rig->keep_tasks = 0;
	CHECK_OK(doca_ctx_start(rig->ctx));
}

static void all_actions(enum softdpu_execution execution)
{
	struct rig rig;

	CHECK_OK(softdpu_set_execution(execution));
	CHECK_OK(softdpu_set_threads(1));
	rig_open(&rig, 8);
	CHECK_OK(doca_ctx_start(rig.ctx));
	selectors(&rig);
	fired_rules(&rig);
	named_error(&rig);
	again(&rig);
	again_counts_submissions(&rig);
	again_of_two_rules(&rig);
	given_up(&rig);
	corrupt(&rig);
	delay(&rig);
	twice(&rig);
	if (execution == SOFTDPU_EXECUTION_THREADS)
		delayed_beyond_stop(&rig);
	rig_close(&rig);
	softdpu_faults_clear();
}

int main(void)
{
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE)); /* hides the expected refusals */
	grammar();
	largest_plan();
	all_actions(SOFTDPU_EXECUTION_THREADS);
	all_actions(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
