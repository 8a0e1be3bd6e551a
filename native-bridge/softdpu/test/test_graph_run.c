/*
 * Runs of graphs: three contexts, user nodes and a sub-graph, in their order. Also: failures, refusals, resubmission and
 * destruction in callbacks, and a sleeping program. In both execution modes.
 */
#include <poll.h>

#include "graph.h"

enum { NUM_INSTANCES = 8, LOG_LEN = 256, RESUBMISSIONS = 50 };

static struct graph_rig rig;
static char called[LOG_LEN + 1];			/* cookies of the called user nodes, in order */
static int num_called;

static doca_error_t note(void *cookie)
{
	called[num_called++ % LOG_LEN] = *(const char *)cookie;
	return DOCA_SUCCESS;
}

static doca_error_t refuse(void *cookie)
{
	(void)note(cookie);
	return DOCA_ERROR_UNEXPECTED;
}

/*
 *            copy a (DMA 0)
 *           /              \
 *   deflate (compress)    inner graph: copy b (DMA 1) -> user 'i'
 *           \              /
 *             user 'j'    and, independent of these nodes, user 'r', a root
 */
struct plan {
	struct doca_graph *inner, *outer;
	struct doca_graph_node *copy_b, *user_i;
	struct doca_graph_node *copy_a, *deflate, *sub, *user_j, *user_r;
};

struct run {
	struct doca_graph_instance *inner, *outer;
	struct doca_task *copy_a, *copy_b, *deflate;
	size_t place;				/* start of its memory */
};

static struct plan plan;
static struct run runs[NUM_INSTANCES];

static void make_plan(doca_graph_user_node_cb_t inside)
{
	plan.inner = graph_new(&rig, NUM_INSTANCES);
	plan.copy_b = graph_ctx_node(plan.inner, rig.dma_ctx[1]);
	plan.user_i = graph_user_node(plan.inner, inside);
	CHECK_OK(doca_graph_add_dependency(plan.inner, plan.copy_b, plan.user_i));
	CHECK_OK(doca_graph_start(plan.inner));
	plan.outer = graph_new(&rig, NUM_INSTANCES);
	plan.user_j = graph_user_node(plan.outer, note);
	plan.sub = graph_graph_node(plan.outer, plan.inner);
	plan.deflate = graph_ctx_node(plan.outer, rig.rig.ctx);
	plan.copy_a = graph_ctx_node(plan.outer, rig.dma_ctx[0]);
	plan.user_r = graph_user_node(plan.outer, note);
	CHECK_OK(doca_graph_add_dependency(plan.outer, plan.copy_a, plan.deflate));
	CHECK_OK(doca_graph_add_dependency(plan.outer, plan.copy_a, plan.sub));
	CHECK_OK(doca_graph_add_dependency(plan.outer, plan.deflate, plan.user_j));
	CHECK_OK(doca_graph_add_dependency(plan.outer, plan.sub, plan.user_j));
	CHECK_OK(doca_graph_start(plan.outer));
}

static struct doca_task *deflate_task(size_t from, size_t to)
{
	struct doca_compress_task_compress_deflate *task;
	union doca_data none = { 0 };

	CHECK_OK(doca_compress_task_compress_deflate_alloc_init(rig.rig.compress, rig_source(&rig.rig, from, GRAPH_LEN),
								rig_room(&rig.rig, to, GRAPH_ROOM), none, &task));
	return doca_compress_task_compress_deflate_as_task(task);
}

/* Areas: the source, the first copy, the second one, the deflated data. */
static void make_run(struct run *run, size_t place)
{
	run->place = place;
	run->copy_a = graph_copy(&rig, 0, 0, place);
	run->copy_b = graph_copy(&rig, 1, place, place + GRAPH_ROOM);
	run->deflate = deflate_task(place, place + 2 * GRAPH_ROOM);
	memset(rig.rig.memory + place, 0, 3 * GRAPH_ROOM);
	run->inner = graph_instance(plan.inner);
	run->outer = graph_instance(plan.outer);
	CHECK_OK(doca_graph_instance_set_ctx_node_data(run->inner, plan.copy_b, run->copy_b));
	CHECK_OK(doca_graph_instance_set_user_node_data(run->inner, plan.user_i, (void *)(uintptr_t)"i"));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(run->outer, plan.copy_a, run->copy_a));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(run->outer, plan.deflate, run->deflate));
	CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run->outer, plan.sub, run->inner));
	CHECK_OK(doca_graph_instance_set_user_node_data(run->outer, plan.user_j, (void *)(uintptr_t)"j"));
	CHECK_OK(doca_graph_instance_set_user_node_data(run->outer, plan.user_r, (void *)(uintptr_t)"r"));
}

static void end_run(struct run *run)
{
	CHECK_OK(doca_graph_instance_destroy(run->outer));
	CHECK_OK(doca_graph_instance_destroy(run->inner));
	graph_free_copy(run->copy_a);
	graph_free_copy(run->copy_b);
	rig_drop_buffers(run->deflate);
	doca_task_free(run->deflate);
}

static void end_plan(void)
{
	graph_destroy(plan.outer);
	graph_destroy(plan.inner);
}

static void forget(void)
{
	rig.completed = 0;
	rig.failed = 0;
	num_called = 0;
	memset(called, 0, sizeof(called));
}

static void check_done(const struct run *run)
{
	const uint8_t *memory = rig.rig.memory;

	CHECK(memcmp(memory, memory + run->place, GRAPH_LEN) == 0);
	CHECK(memcmp(memory, memory + run->place + GRAPH_ROOM, GRAPH_LEN) == 0);
	CHECK(rig_data_len(doca_compress_task_compress_deflate_get_dst(
		      (struct doca_compress_task_compress_deflate *)run->deflate)) > 0);
	CHECK_OK(doca_task_get_status(run->deflate));
}

static int position(char who)
{
	const char *at = strchr(called, who);

	CHECK(at != NULL);
	return (int)(at - called);
}

static void one(void)
{
	make_plan(note);
	make_run(&runs[0], 65536);
	forget();
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	CHECK_EQ(num_called, 0); /* a submission calls no callback */
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed > 0);
	CHECK_EQ(rig.completed, 1);
	CHECK(rig.last == runs[0].outer); /* the sub graph's own callback was not called */
	CHECK_EQ(num_called, 3);
	CHECK(position('i') < position('j') && position('r') >= 0);
	check_done(&runs[0]);
	/* The program owns the tasks again, for any use. */
	CHECK_EQ(rig_in_flight(&rig.rig), 0);
	end_run(&runs[0]);
	end_plan();
}

/* Fault "twice" does not concern tasks of graphs: the program's callbacks are never called. */
static void reported_once(void)
{
	CHECK_OK(softdpu_faults_set("*:twice"));
	one();
	CHECK_EQ(rig.rig.completed, 0);
	softdpu_faults_clear();
}

static void many(void)
{
	make_plan(note);
	forget();
	for (int i = 0; i < NUM_INSTANCES; i++) {
		make_run(&runs[i], 65536 + (size_t)i * 8192);
		CHECK_OK(doca_graph_instance_submit(runs[i].outer));
	}
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed == NUM_INSTANCES);
	CHECK_EQ(rig.completed, NUM_INSTANCES);
	for (int i = 0; i < NUM_INSTANCES; i++) {
		check_done(&runs[i]);
		end_run(&runs[i]);
	}
	end_plan();
}

/* After a task fails, running tasks complete and no node starts; then the instance can be used again. */
static void task_fails(void)
{
	make_plan(note);
	make_run(&runs[0], 65536);
	forget();
	CHECK_OK(softdpu_faults_set("compress-deflate:fail=TIME_OUT:nth=1"));
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed > 0);
	softdpu_faults_clear();
	CHECK_EQ(rig.failed, 1);
	CHECK(strchr(called, 'j') == NULL);
	CHECK_EQ(doca_task_get_status(runs[0].deflate), DOCA_ERROR_TIME_OUT);
	forget();
	graph_renew_copy(runs[0].copy_a);
	graph_renew_copy(runs[0].copy_b);
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed == 1);
	check_done(&runs[0]);
	end_run(&runs[0]);
	end_plan();
}

/* A user node in the sub-graph fails: the sub-graph and the outer graph fail. */
static void user_fails(void)
{
	make_plan(refuse);
	make_run(&runs[0], 65536);
	forget();
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed > 0);
	CHECK_EQ(rig.failed, 1);
	CHECK(rig.last == runs[0].outer);
	CHECK(strchr(called, 'i') != NULL && strchr(called, 'j') == NULL);
	end_run(&runs[0]);
	end_plan();
}

/* A context of the graph stops: its task cannot start, and the program owns the others again. */
static void context_stops(void)
{
	make_plan(note);
	make_run(&runs[0], 65536);
	forget();
	CHECK_ERROR(doca_ctx_stop(rig.dma_ctx[0]), DOCA_ERROR_IN_PROGRESS); /* one of its tasks is allocated */
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	CHECK_EQ(rig.failed, 0); /* a submission calls no callback */
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed > 0);
	CHECK_EQ(rig.failed, 1);
	CHECK_EQ(strlen(called), num_called);
	CHECK(strchr(called, 'i') == NULL && strchr(called, 'j') == NULL);
	end_run(&runs[0]);
	end_plan();
	graph_stop_ctx(&rig, rig.dma_ctx[0]);
	CHECK_OK(doca_ctx_start(rig.dma_ctx[0]));
}

/* Sleeps on the engine's handle until an event. */
static void sleep_on_engine(void)
{
	struct pollfd handle = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(rig.rig.pe, &handle.fd));
	CHECK_OK(doca_pe_request_notification(rig.rig.pe));
	CHECK_EQ(poll(&handle, 1, RIG_LIMIT_S * 1000), 1);
	CHECK_OK(doca_pe_clear_notification(rig.rig.pe, handle.fd));
}

/* A context that refuses tasks delays the instance; the program polls or sleeps. */
static void refusals(int sleeps)
{
	struct softdpu_fault_counters counters;

	make_plan(note);
	make_run(&runs[0], 65536);
	make_run(&runs[1], 131072);
	forget();
	CHECK_OK(softdpu_faults_set("dma-memcpy:again=5 ; compress-deflate:again=2"));
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	CHECK_OK(doca_graph_instance_submit(runs[1].outer));
	while (rig.completed + rig.failed < 2) {
		if (sleeps && !doca_pe_progress(rig.rig.pe))
			sleep_on_engine();
		else if (!sleeps)
			RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed == 2);
	}
	CHECK_EQ(rig.completed, 2);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.again, 4 * 5 + 2 * 2);
	softdpu_faults_clear();
	check_done(&runs[0]);
	check_done(&runs[1]);
	end_run(&runs[0]);
	end_run(&runs[1]);
	end_plan();
}

/* One branch fails while the other branch's task is refused: that task does not start. */
static void refused_and_failed(void)
{
	make_plan(refuse);
	make_run(&runs[0], 65536);
	forget();
	CHECK_OK(softdpu_faults_set("compress-deflate:again=1000000"));
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.failed == 1);
	softdpu_faults_clear();
	CHECK_OK(doca_task_submit(runs[0].deflate)); /* the program owns it again */
	rig.rig.keep_tasks = 1;
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.rig.completed == 1);
	rig.rig.completed = 0;
	end_run(&runs[0]);
	end_plan();
}

static void submit_again(struct graph_rig *graph_rig, struct doca_graph_instance *instance)
{
	struct doca_compress_task_compress_deflate *deflate = (struct doca_compress_task_compress_deflate *)runs[0].deflate;

	(void)graph_rig;
	graph_renew_copy(runs[0].copy_a);
	graph_renew_copy(runs[0].copy_b);
	CHECK_OK(doca_buf_reset_data_len(doca_compress_task_compress_deflate_get_dst(deflate)));
	if (rig.completed < RESUBMISSIONS)
		CHECK_OK(doca_graph_instance_submit(instance));
}

static void resubmitted(void)
{
	make_plan(note);
	make_run(&runs[0], 65536);
	forget();
	rig.on_end = submit_again;
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed == RESUBMISSIONS);
	rig.on_end = NULL;
	CHECK_EQ(rig.failed, 0);
	CHECK_EQ(num_called, 3 * RESUBMISSIONS);
	end_run(&runs[0]);
	end_plan();
}

static void take_down(struct graph_rig *graph_rig, struct doca_graph_instance *instance)
{
	(void)graph_rig;
	CHECK(instance == runs[0].outer);
	end_run(&runs[0]);
	end_plan();
}

/* The whole graph is destroyed in its callback. */
static void destroyed_in_callback(void)
{
	make_plan(note);
	make_run(&runs[0], 65536);
	forget();
	rig.on_end = take_down;
	CHECK_OK(doca_graph_instance_submit(runs[0].outer));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed == 1);
	rig.on_end = NULL; /* the engine can be destroyed without another progress */
}

static void run_all(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	graph_rig_open(&rig);
	one();
	reported_once();
	many();
	task_fails();
	user_fails();
	context_stops();
	refusals(0);
	refusals(1);
	refused_and_failed();
	resubmitted();
	destroyed_in_callback();
	graph_rig_close(&rig);
}

int main(void)
{
	run_all(SOFTDPU_EXECUTION_THREADS);
	run_all(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
