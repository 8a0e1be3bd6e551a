/* Two concurrent instances: one waits for a sync event that the other one sets. Also a device that is lost during a run. */
#include "doca_sync_event.h"
#include "graph.h"

enum { FIRST = 65536, SECOND = 131072 };

static struct graph_rig rig;
static struct doca_sync_event *event;
static struct doca_ctx *event_ctx;
static struct doca_graph *waiting, *setting;
static struct doca_graph_node *wait_node, *copy_after, *copy_before, *set_node;

static void no_callback(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	CHECK(!"a task's callback was called within a graph");
}

static void open_event(void)
{
	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, rig.rig.dev));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, rig.rig.dev));
	CHECK_OK(doca_sync_event_task_wait_eq_set_conf(
		event, (doca_sync_event_task_wait_eq_completion_cb_t)(void (*)(void))no_callback,
		(doca_sync_event_task_wait_eq_completion_cb_t)(void (*)(void))no_callback, 1));
	CHECK_OK(doca_sync_event_task_notify_set_set_conf(
		event, (doca_sync_event_task_notify_set_completion_cb_t)(void (*)(void))no_callback,
		(doca_sync_event_task_notify_set_completion_cb_t)(void (*)(void))no_callback, 1));
	event_ctx = doca_sync_event_as_ctx(event);
	CHECK_OK(doca_pe_connect_ctx(rig.rig.pe, event_ctx));
	CHECK_OK(doca_ctx_start(event_ctx));
}

static void make_graphs(void)
{
	waiting = graph_new(&rig, 1);
	wait_node = graph_ctx_node(waiting, event_ctx);
	copy_after = graph_ctx_node(waiting, rig.dma_ctx[1]);
	CHECK_OK(doca_graph_add_dependency(waiting, wait_node, copy_after));
	CHECK_OK(doca_graph_start(waiting));
	setting = graph_new(&rig, 1);
	copy_before = graph_ctx_node(setting, rig.dma_ctx[0]);
	set_node = graph_ctx_node(setting, event_ctx);
	CHECK_OK(doca_graph_add_dependency(setting, copy_before, set_node));
	CHECK_OK(doca_graph_start(setting));
}

static void run(enum softdpu_execution execution, int is_lost)
{
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_wait_eq *wait;
	struct doca_graph_instance *late, *early;
	struct doca_task *before, *after;
	union doca_data none = { 0 };

	CHECK_OK(softdpu_set_execution(execution));
	graph_rig_open(&rig);
	open_event();
	make_graphs();
	late = graph_instance(waiting);
	early = graph_instance(setting);
	before = graph_copy(&rig, 0, 0, FIRST);
	after = graph_copy(&rig, 1, FIRST, SECOND);
	memset(rig.rig.memory + FIRST, 0, GRAPH_LEN);
	CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(event, 1, UINT64_MAX, none, &wait));
	CHECK_OK(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(late, wait_node, doca_sync_event_task_wait_eq_as_doca_task(wait)));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(late, copy_after, after));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(early, copy_before, before));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(early, set_node, doca_sync_event_task_notify_set_as_doca_task(set)));

	CHECK_OK(doca_graph_instance_submit(late));
	for (int i = 0; i < 1000; i++)
		CHECK_EQ(doca_pe_progress(rig.rig.pe), 0);
	if (is_lost)
		CHECK_OK(softdpu_faults_set("dma-memcpy:lost:nth=1"));
	CHECK_OK(doca_graph_instance_submit(early));
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed + rig.failed == 2);
	CHECK_EQ(rig.failed, is_lost ? 2 : 0);
	if (!is_lost)
		CHECK(memcmp(rig.rig.memory, rig.rig.memory + SECOND, GRAPH_LEN) == 0);
	softdpu_faults_clear();

	CHECK_OK(doca_graph_instance_destroy(late));
	CHECK_OK(doca_graph_instance_destroy(early));
	graph_free_copy(before);
	graph_free_copy(after);
	doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(wait));
	doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
	graph_destroy(waiting);
	graph_destroy(setting);
	graph_stop_ctx(&rig, event_ctx);
	CHECK_OK(doca_sync_event_destroy(event));
	graph_rig_close(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS, 0);
	run(SOFTDPU_EXECUTION_INLINE, 0);
	run(SOFTDPU_EXECUTION_THREADS, 1);
	run(SOFTDPU_EXECUTION_INLINE, 1);
	return 0;
}
