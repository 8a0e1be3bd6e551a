/* Strict mode refuses calls on destroyed objects and calls outside the turn of their host, and keeps the first one. */
#include "doca_graph.h"
#include "doca_rdma.h"
#include "doca_sync_event.h"
#include "rendezvous.h"
#include "rig.h"
#include "rig_task.h"

enum { OTHER = 3 };

static void wrong_call_is(const char *expected)
{
	const char *text = softdpu_get_wrong_call();

	if (text == NULL || strcmp(text, expected) != 0) {
		fprintf(stderr, "wrong call: %s, not %s\n", text == NULL ? "none" : text, expected);
		exit(1);
	}
}

/* Begins to check from the start, with the number 1. */
static void begin(void)
{
	CHECK_OK(softdpu_set_strict(1));
	CHECK(softdpu_get_wrong_call() == NULL);
}

static void is_for_inline_execution(void)
{
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	CHECK_ERROR(softdpu_set_strict(1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(softdpu_set_strict(0));
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
}

static void right_calls_pass(void)
{
	struct rig rig;

	begin();
	rig_open(&rig, 8);
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_submit(&rig, 0);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 1);
	rig_close(&rig);
	CHECK(softdpu_get_wrong_call() == NULL);
}

static void destroyed_objects_are_refused(void)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	struct doca_compress *compress;
	struct doca_mmap *map;
	struct doca_pe *pe;

	begin();
	CHECK_OK(doca_compress_create(dev, &compress));
	CHECK_OK(doca_compress_destroy(compress));
	CHECK_ERROR(doca_compress_destroy(compress), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_start((struct doca_ctx *)compress), DOCA_ERROR_BAD_STATE);
	wrong_call_is("doca_compress_destroy(compress#1): the object was destroyed");

	CHECK_OK(softdpu_set_seed(1)); /* no object is left: the numbers restart */
	CHECK(softdpu_get_wrong_call() == NULL);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_pe_destroy(pe));
	CHECK_EQ(doca_pe_progress(pe), 0);
	wrong_call_is("doca_pe_progress(pe#2): the object was destroyed");
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_ERROR(doca_mmap_stop(map), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_dev_close(dev));
}

static void destroyed_addresses_are_refused(void)
{
	struct doca_rdma_addr *addr;

	begin();
	CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", 7, &addr));
	CHECK_OK(doca_rdma_addr_destroy(addr));
	CHECK_ERROR(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
	wrong_call_is("doca_rdma_addr_destroy(rdma-address#1): the object was destroyed");
}

/* Imports an event of this process, as a peer does. */
static void destroyed_remote_events_are_refused(void)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	struct doca_sync_event_remote_net *remote;
	struct doca_sync_event *event;
	const uint8_t *desc;
	size_t len;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_export_to_remote_net(event, &desc, &len));
	begin();
	CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, desc, len, &remote));
	CHECK_OK(doca_sync_event_remote_net_destroy(remote));
	CHECK_ERROR(doca_sync_event_remote_net_destroy(remote), DOCA_ERROR_BAD_STATE);
	wrong_call_is("doca_sync_event_remote_net_destroy(remote-event#1): the object was destroyed");
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK_OK(doca_dev_close(dev));
}

static void graphs_of_another_host_are_refused(void)
{
	struct doca_graph *graph;
	struct doca_pe *pe;

	begin();
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_graph_create(pe, &graph));
	softdpu_enter_host(OTHER);
	CHECK_ERROR(doca_graph_stop(graph), DOCA_ERROR_BAD_STATE);
	wrong_call_is("doca_graph_stop(graph#2): called in a turn of host 3, but the object belongs to host 0");
	softdpu_enter_host(0);
	CHECK_OK(doca_graph_stop(graph));
	CHECK_OK(doca_graph_destroy(graph));
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_pe_destroy(pe));
}

static void freed_tasks_are_refused(void)
{
	struct rig rig;

	begin();
	rig_open(&rig, 8);
	rig.keep_tasks = 1;
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_submit(&rig, 0);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 1);
	doca_task_free(rig.last_task);
	CHECK(softdpu_get_wrong_call() == NULL);
	CHECK_ERROR(doca_task_submit(rig.last_task), DOCA_ERROR_BAD_STATE);
	CHECK(strstr(softdpu_get_wrong_call(), "doca_task_submit(compress-deflate#") == softdpu_get_wrong_call());
	doca_task_free(rig.last_task);
	rig_close(&rig);
}

static void calls_of_another_host_are_refused(void)
{
	struct doca_graph *graph;
	struct rig rig;

	begin();
	rig_open(&rig, 8);
	softdpu_enter_host(OTHER);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_BAD_STATE);
	CHECK(strstr(softdpu_get_wrong_call(),
		     "called in a turn of host 3, but the object belongs to host 0") != NULL);
	CHECK_EQ(doca_pe_progress(rig.pe), 0);
	CHECK_ERROR(doca_graph_create(rig.pe, &graph), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_compress_destroy(rig.compress), DOCA_ERROR_BAD_STATE);
	softdpu_enter_host(0);
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_close(&rig);
}

/* A context belongs to the host of its engine. */
static void contexts_belong_to_the_host_of_their_engine(void)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	struct doca_compress *compress;
	struct doca_pe *pe;

	begin();
	CHECK_OK(doca_compress_create(dev, &compress));
	softdpu_enter_host(OTHER);
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_pe_connect_ctx(pe, (struct doca_ctx *)compress));
	softdpu_enter_host(0);
	CHECK_ERROR(doca_compress_destroy(compress), DOCA_ERROR_BAD_STATE);
	wrong_call_is("doca_compress_destroy(compress#1): called in a turn of host 0, but the object belongs to host 3");
	softdpu_enter_host(OTHER);
	CHECK_OK(doca_compress_destroy(compress));
	CHECK_OK(doca_pe_destroy(pe));
	softdpu_enter_host(0);
	CHECK_OK(doca_dev_close(dev));
}

int main(void)
{
	make_own_folder();
	is_for_inline_execution();
	right_calls_pass();
	destroyed_objects_are_refused();
	destroyed_addresses_are_refused();
	destroyed_remote_events_are_refused();
	graphs_of_another_host_are_refused();
	freed_tasks_are_refused();
	calls_of_another_host_are_refused();
	contexts_belong_to_the_host_of_their_engine();
	remove_own_folder();
	return 0;
}
