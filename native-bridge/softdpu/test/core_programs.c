/*
 * DOCA Core programs in their usual forms, without code of this project.
 *
 *   core_programs graph                              ten instances of: copy -> copy -> a user node that compares
 *   core_programs cache                              copy, then invalidate the caches of the source
 *   core_programs local  sync|async add|set          makes a sync event, prints its description, publishes 1, waits for 2
 *   core_programs remote sync|async add|set          reads the description, waits for 1, publishes 2
 *
 * The programs do not wait for an asynchronous end: they stop a context once, and destroy it.
 */
#include <string.h>
#include <time.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_mmap.h>
#include <doca_mmap_advise.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "program.h"

enum { INSTANCES = 10, COPIES = 2, LEN = 1024, MAX_DESCRIPTION = 1024, SLEEP_NS = 10000, MAX_POLLS = 1000000 };

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static unsigned char memory[INSTANCES * (COPIES + 1) * LEN];

static doca_error_t suits_core(const struct doca_devinfo *info)
{
	doca_error_t result = doca_dma_cap_task_memcpy_is_supported(info);

	return result == DOCA_SUCCESS ? doca_mmap_advise_cap_task_cache_invalidate_is_supported(info) : result;
}

static void open_core(uint32_t num_bufs)
{
	dev = open_device(NULL, suits_core);
	MUST(doca_mmap_create(&map));
	MUST(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	MUST(doca_mmap_add_dev(map, dev));
	MUST(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(map));
	MUST(doca_buf_inventory_create(num_bufs, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_pe_create(&pe));
}

static void close_core(void)
{
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_inventory_stop(inventory));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_stop(map));
	MUST(doca_mmap_destroy(map));
	MUST(doca_dev_close(dev));
}

/* --- graph --- */

struct instance {
	struct doca_graph_instance *graph_instance;
	struct doca_buf *source, *copies[COPIES];
	unsigned char *source_addr, *copy_addr[COPIES];
	struct doca_dma_task_memcpy *tasks[COPIES];
};

static struct instance instances[INSTANCES];
static struct doca_dma *dmas[COPIES];
static struct doca_graph_node *copy_nodes[COPIES], *compare_node;
static int num_compared, num_ended;

static void never_called(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	exit(EXIT_FAILURE);
}

static doca_error_t compare(void *cookie)
{
	struct instance *instance = cookie;
	size_t len;
	int i;

	for (i = 0; i < COPIES; i++) {
		MUST(doca_buf_get_data_len(instance->copies[i], &len));
		if (len != LEN || memcmp(instance->source_addr, instance->copy_addr[i], LEN) != 0)
			return DOCA_ERROR_UNEXPECTED;
	}
	num_compared++;
	return DOCA_SUCCESS;
}

static void instance_ended(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data)
{
	(void)instance;
	(void)instance_data;
	*(int *)graph_data.ptr += 1;
}

static void create_instance(struct doca_graph *graph, struct instance *instance, int number)
{
	union doca_data none = { 0 };
	int i;

	instance->source_addr = memory + number * (COPIES + 1) * LEN;
	memset(instance->source_addr, number + 1, LEN);
	MUST(doca_graph_instance_create(graph, &instance->graph_instance));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, map, instance->source_addr, LEN, &instance->source));
	for (i = 0; i < COPIES; i++) {
		instance->copy_addr[i] = instance->source_addr + (i + 1) * LEN;
		MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, instance->copy_addr[i], LEN, &instance->copies[i]));
		MUST(doca_dma_task_memcpy_alloc_init(dmas[i], instance->source, instance->copies[i], none, &instance->tasks[i]));
		MUST(doca_graph_instance_set_ctx_node_data(instance->graph_instance, copy_nodes[i],
							   doca_dma_task_memcpy_as_task(instance->tasks[i])));
	}
	MUST(doca_graph_instance_set_user_node_data(instance->graph_instance, compare_node, instance));
}

static void destroy_instance(struct instance *instance)
{
	int i;

	MUST(doca_graph_instance_destroy(instance->graph_instance));
	for (i = 0; i < COPIES; i++) {
		doca_task_free(doca_dma_task_memcpy_as_task(instance->tasks[i]));
		MUST(doca_buf_dec_refcount(instance->copies[i], NULL));
	}
	MUST(doca_buf_dec_refcount(instance->source, NULL));
}

static int run_graph(void)
{
	union doca_data data = { .ptr = &num_ended };
	struct doca_graph *graph;
	int i;

	open_core(INSTANCES * (COPIES + 1));
	MUST(doca_graph_create(pe, &graph));
	MUST(doca_graph_node_create_from_user(graph, compare, &compare_node));
	for (i = 0; i < COPIES; i++) {
		MUST(doca_dma_create(dev, &dmas[i]));
		MUST(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dmas[i])));
		MUST(doca_dma_task_memcpy_set_conf(dmas[i], never_called, never_called, INSTANCES));
		MUST(doca_ctx_start(doca_dma_as_ctx(dmas[i])));
		MUST(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(dmas[i]), &copy_nodes[i]));
	}
	MUST(doca_graph_add_dependency(graph, copy_nodes[0], copy_nodes[1]));
	MUST(doca_graph_add_dependency(graph, copy_nodes[1], compare_node));
	MUST(doca_graph_set_conf(graph, instance_ended, instance_ended, INSTANCES));
	MUST(doca_graph_set_user_data(graph, data));
	MUST(doca_graph_start(graph));
	for (i = 0; i < INSTANCES; i++)
		create_instance(graph, &instances[i], i);
	for (i = 0; i < INSTANCES; i++)
		MUST(doca_graph_instance_submit(instances[i].graph_instance));
	while (num_ended < INSTANCES)
		(void)doca_pe_progress(pe);

	for (i = 0; i < INSTANCES; i++)
		destroy_instance(&instances[i]);
	MUST(doca_graph_stop(graph));
	MUST(doca_graph_destroy(graph));
	for (i = 0; i < COPIES; i++) {
		MUST(doca_ctx_stop(doca_dma_as_ctx(dmas[i])));
		MUST(doca_dma_destroy(dmas[i]));
	}
	close_core();
	return num_compared == INSTANCES ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- cache --- */

static struct doca_mmap_advise_task_invalidate_cache *forget;
static int is_running = 1;

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	MUST(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(forget)));
}

static void forgotten(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	is_running = 0;
}

static void not_forgotten(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data,
			  union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	exit(EXIT_FAILURE);
}

static int run_cache(void)
{
	struct doca_mmap_advise *advise;
	struct doca_buf *source, *destination;
	struct doca_dma_task_memcpy *copy;
	union doca_data none = { 0 };
	struct doca_dma *dma;

	open_core(2);
	memset(memory, 7, LEN);
	MUST(doca_dma_create(dev, &dma));
	MUST(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	MUST(doca_dma_task_memcpy_set_conf(dma, copied, never_called, 1));
	MUST(doca_mmap_advise_create(dev, &advise));
	MUST(doca_pe_connect_ctx(pe, doca_mmap_advise_as_ctx(advise)));
	MUST(doca_mmap_advise_task_invalidate_cache_set_conf(advise, forgotten, not_forgotten, 1));
	MUST(doca_ctx_start(doca_dma_as_ctx(dma)));
	MUST(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, map, memory, LEN, &source));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, memory + LEN, LEN, &destination));
	MUST(doca_dma_task_memcpy_alloc_init(dma, source, destination, none, &copy));
	MUST(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, source, none, &forget));
	MUST(doca_task_submit(doca_dma_task_memcpy_as_task(copy)));
	while (is_running)
		(void)doca_pe_progress(pe);

	doca_task_free(doca_dma_task_memcpy_as_task(copy));
	doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(forget));
	MUST(doca_ctx_stop(doca_dma_as_ctx(dma)));
	MUST(doca_ctx_stop(doca_mmap_advise_as_ctx(advise)));
	MUST(doca_dma_destroy(dma));
	MUST(doca_mmap_advise_destroy(advise));
	MUST(doca_buf_dec_refcount(source, NULL));
	MUST(doca_buf_dec_refcount(destination, NULL));
	close_core();
	return memcmp(memory, memory + LEN, LEN) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- sync events --- */

static struct doca_sync_event *event;
static doca_error_t task_result;

static void task_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	*(doca_error_t *)ctx_data.ptr = DOCA_SUCCESS;
}

static void task_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	*(doca_error_t *)ctx_data.ptr = doca_task_get_status(task);
}

#define CONFIGURE(kind)                                                                                                \
	MUST(doca_sync_event_task_##kind##_set_conf(event, (doca_sync_event_task_##kind##_completion_cb_t)task_completed, \
						    (doca_sync_event_task_##kind##_completion_cb_t)task_failed, 1))

static void start_event(int is_async)
{
	union doca_data data = { .ptr = &task_result };
	struct doca_ctx *ctx;

	if (!is_async) {
		MUST(doca_sync_event_start(event));
		return;
	}
	MUST(doca_pe_create(&pe));
	ctx = doca_sync_event_as_ctx(event);
	MUST(doca_pe_connect_ctx(pe, ctx));
	CONFIGURE(get);
	CONFIGURE(notify_set);
	CONFIGURE(notify_add);
	CONFIGURE(wait_eq);
	CONFIGURE(wait_neq);
	MUST(doca_ctx_set_user_data(ctx, data));
	MUST(doca_ctx_start(ctx));
}

/* The first progress that returns 1 ends the task. */
static void run_task(struct doca_task *task)
{
	struct timespec moment = { .tv_nsec = SLEEP_NS };
	int polls = MAX_POLLS;

	task_result = DOCA_ERROR_UNKNOWN;
	MUST(doca_task_submit(task));
	while (doca_pe_progress(pe) == 0 && polls-- > 0)
		nanosleep(&moment, NULL);
	doca_task_free(task);
	MUST(task_result);
}

static void publish(int is_async, int is_add, uint64_t value)
{
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_notify_set *set;
	union doca_data none = { 0 };
	uint64_t before = 0;

	if (!is_async && is_add) {
		MUST(doca_sync_event_update_add(event, 1, &before));
	} else if (!is_async) {
		MUST(doca_sync_event_update_set(event, value));
	} else if (is_add) {
		MUST(doca_sync_event_task_notify_add_alloc_init(event, 1, &before, none, &add));
		run_task(doca_sync_event_task_notify_add_as_doca_task(add));
	} else {
		MUST(doca_sync_event_task_notify_set_alloc_init(event, value, none, &set));
		run_task(doca_sync_event_task_notify_set_as_doca_task(set));
	}
	if (is_add && before != value - 1)
		exit(EXIT_FAILURE);
}

static void await(int is_async, uint64_t value)
{
	struct doca_sync_event_task_wait_eq *task;
	union doca_data none = { 0 };

	if (!is_async) {
		MUST(doca_sync_event_wait_eq_yield(event, value, UINT64_MAX));
		return;
	}
	MUST(doca_sync_event_task_wait_eq_alloc_init(event, value, UINT64_MAX, none, &task));
	run_task(doca_sync_event_task_wait_eq_as_doca_task(task));
}

static void end_event(int is_async)
{
	if (is_async)
		MUST(doca_ctx_stop(doca_sync_event_as_ctx(event)));
	else
		MUST(doca_sync_event_stop(event));
	MUST(doca_sync_event_destroy(event));
	if (is_async)
		MUST(doca_pe_destroy(pe));
	MUST(doca_dev_close(dev));
}

static int run_local(int is_async, int is_add)
{
	const uint8_t *description;
	size_t size;

	dev = open_device(NULL, doca_sync_event_cap_is_export_to_remote_pci_supported);
	MUST(doca_sync_event_create(&event));
	MUST(doca_sync_event_add_publisher_location_remote_pci(event));
	MUST(doca_sync_event_add_subscriber_location_cpu(event, dev));
	start_event(is_async);
	MUST(doca_sync_event_export_to_remote_pci(event, dev, &description, &size));
	if (fwrite(description, size, 1, stdout) != 1 || fflush(stdout) != 0 || fclose(stdout) != 0)
		return EXIT_FAILURE;
	publish(is_async, is_add, 1);
	await(is_async, 2);
	end_event(is_async);
	return EXIT_SUCCESS;
}

static int run_remote(int is_async, int is_add)
{
	static uint8_t description[MAX_DESCRIPTION];
	size_t size = fread(description, 1, sizeof(description), stdin);

	dev = open_device(NULL, doca_sync_event_cap_is_create_from_export_supported);
	MUST(doca_sync_event_create_from_export(dev, description, size, &event));
	start_event(is_async);
	await(is_async, 1);
	publish(is_async, is_add, 2);
	end_event(is_async);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "graph") == 0)
		return run_graph();
	if (argc == 2 && strcmp(argv[1], "cache") == 0)
		return run_cache();
	if (argc == 4 && strcmp(argv[1], "local") == 0)
		return run_local(strcmp(argv[2], "async") == 0, strcmp(argv[3], "add") == 0);
	if (argc == 4 && strcmp(argv[1], "remote") == 0)
		return run_remote(strcmp(argv[2], "async") == 0, strcmp(argv[3], "add") == 0);
	return EXIT_FAILURE;
}
