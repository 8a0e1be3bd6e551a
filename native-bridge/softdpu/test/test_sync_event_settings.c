/* Calls that a sync event accepts in each state, and errors of the others. */
#include "sync_event.h"

static struct doca_dev *dev, *dpu_dev;

static void arguments(void)
{
	struct doca_sync_event *event;
	uint64_t value = 0;

	CHECK_ERROR(doca_sync_event_create(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_start(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK(doca_sync_event_as_ctx(NULL) == NULL);
	CHECK_OK(doca_sync_event_create(&event));
	CHECK_ERROR(doca_sync_event_add_publisher_location_cpu(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_add_publisher_location_cpu(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_add_publisher_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_add_subscriber_location_cpu(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_add_subscriber_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_set_addr(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_set_addr(event, (uint64_t *)((uintptr_t)&value + 4)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_set_doca_buf(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_get(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_update_add(event, 1, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_update_set(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_wait_eq(NULL, 1, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_wait_gt_yield(NULL, 1, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(EVENT_CONFIGURE(NULL, get, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(EVENT_CONFIGURE(event, get, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_task_wait_eq_set_conf(event, NULL, EVENT_CALLBACK(wait_eq, event_failed), 1),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_sync_event_destroy(event));
}

/* An event needs exactly one publisher and one subscriber. */
static void locations(void)
{
	struct doca_sync_event *event;
	struct doca_pe *pe;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_ERROR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
	CHECK_ERROR(doca_sync_event_add_publisher_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
	CHECK_ERROR(doca_ctx_start(doca_sync_event_as_ctx(event)), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	CHECK_ERROR(doca_sync_event_add_subscriber_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK_OK(doca_pe_destroy(pe));
}

/* Features that the card does not have. */
static void absent(void)
{
	struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	struct doca_sync_event *event;
	uint8_t nowhere;
	doca_dpa_dev_sync_event_t dpa_handle;
	doca_gpu_dev_sync_event_t *gpu_handle;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_ERROR(doca_sync_event_add_publisher_location_dpa(event, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_add_publisher_location_dpa(event, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_add_publisher_location_gpu(event, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_add_subscriber_location_dpa(event, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_add_subscriber_location_gpu(event, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_get_dpa_handle(event, (void *)&nowhere, &dpa_handle), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_get_gpu_handle(event, (void *)&nowhere, &gpu_handle), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_sync_event_destroy(event));

	CHECK_ERROR(doca_sync_event_cap_is_export_to_dpa_supported(info), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_cap_is_export_to_gpu_supported(info), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_cap_remote_net_is_export_to_dpa_supported(info), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_sync_event_cap_remote_net_is_export_to_gpu_supported(info), DOCA_ERROR_NOT_SUPPORTED);
}

static void capabilities(const struct doca_devinfo *info)
{
	CHECK_OK(doca_sync_event_cap_is_export_to_remote_pci_supported(info));
	CHECK_OK(doca_sync_event_cap_is_export_to_remote_net_supported(info));
	CHECK_OK(doca_sync_event_cap_remote_net_is_create_from_export_supported(info));
	CHECK_OK(doca_sync_event_cap_is_create_from_export_supported(info));
	CHECK_OK(doca_sync_event_cap_task_get_is_supported(info));
	CHECK_OK(doca_sync_event_cap_task_notify_set_is_supported(info));
	CHECK_OK(doca_sync_event_cap_task_notify_add_is_supported(info));
	CHECK_OK(doca_sync_event_cap_task_wait_eq_is_supported(info));
	CHECK_OK(doca_sync_event_cap_task_wait_neq_is_supported(info));
	CHECK_ERROR(doca_sync_event_cap_task_get_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_cap_is_export_to_gpu_supported(NULL), DOCA_ERROR_INVALID_VALUE);
}

/* Started for blocking calls: no tasks, no settings, no second start. */
static void blocking_life(void)
{
	struct doca_sync_event *event = event_new(dev);
	struct doca_sync_event_task_get *task;
	union doca_data none = { 0 };
	struct doca_pe *pe;
	uint64_t value;

	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
	CHECK_OK(EVENT_CONFIGURE(event, get, 1));
	CHECK_ERROR(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_wait_eq(event, 0, 0), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_stop(event), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_start(event));
	CHECK_ERROR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_start(doca_sync_event_as_ctx(event)), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_task_get_alloc_init(event, &value, none, &task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(EVENT_CONFIGURE(event, get, 2), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_sync_event_set_addr(event, &value), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_destroy(event), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_ERROR(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_start(doca_sync_event_as_ctx(event)), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK_OK(doca_pe_destroy(pe));
}

/* Started as a context: no blocking calls. */
static void context_life(void)
{
	struct event_rig rig;
	uint64_t value;

	event_open(&rig, dev, 1);
	CHECK_ERROR(doca_sync_event_start(rig.event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_stop(rig.event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_get(rig.event, &value), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_update_set(rig.event, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_add_publisher_location_remote_pci(rig.event), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_set_addr(rig.event, &value), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(EVENT_CONFIGURE(rig.event, wait_eq, 2), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_sync_event_destroy(rig.event), DOCA_ERROR_IN_USE);
	event_stop(&rig);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sync_event_start(rig.event), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_destroy(rig.event));
	CHECK_OK(doca_pe_destroy(rig.pe));
}

static struct doca_buf *buffer(struct doca_buf_inventory *inventory, struct doca_mmap *map, void *data, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, data, len, &buf));
	return buf;
}

/* A buffer for the value: one element of 8 bytes in a map with all permissions. */
static void buffers(void)
{
	enum { ALL = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
		     DOCA_ACCESS_FLAG_RDMA_ATOMIC };
	static _Alignas(8) uint64_t memory[4] = { 0, 41 };
	struct doca_sync_event *event = event_new(dev);
	struct doca_buf_inventory *inventory;
	struct doca_buf *good, *bad[4];
	struct doca_mmap *map;
	const uint8_t *data;
	uint64_t value;
	size_t size;

	CHECK_OK(doca_buf_inventory_create(8, &inventory));
	CHECK_OK(doca_buf_inventory_start(inventory));
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_set_permissions(map, ALL & ~DOCA_ACCESS_FLAG_RDMA_ATOMIC));
	CHECK_OK(doca_mmap_start(map));
	good = buffer(inventory, map, memory + 1, 8);
	CHECK_ERROR(doca_sync_event_set_doca_buf(event, good), DOCA_ERROR_NOT_PERMITTED);
	rig_drop(good);
	CHECK_OK(doca_mmap_stop(map));
	CHECK_OK(doca_mmap_set_permissions(map, ALL));
	CHECK_OK(doca_mmap_start(map));
	good = buffer(inventory, map, memory + 1, 8);
	bad[0] = buffer(inventory, map, memory, 16);
	bad[1] = buffer(inventory, map, (uint8_t *)memory + 4, 8);
	bad[2] = buffer(inventory, map, memory, 8);
	bad[3] = buffer(inventory, map, memory + 2, 8);
	CHECK_OK(doca_buf_chain_list(bad[2], bad[3]));
	for (int i = 0; i < 4; i++)
		CHECK_ERROR(doca_sync_event_set_doca_buf(event, bad[i]), DOCA_ERROR_NOT_PERMITTED);
	for (int i = 0; i < 3; i++)
		rig_drop(bad[i]);
	CHECK_OK(doca_sync_event_set_addr(event, &memory[3])); /* the last call counts */
	CHECK_OK(doca_sync_event_set_doca_buf(event, good));
	rig_drop(good);
	CHECK_ERROR(doca_mmap_stop(map), DOCA_ERROR_NOT_PERMITTED); /* the event uses the map */
	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_update_add(event, 1, &value));
	CHECK_EQ(value, 41);
	CHECK_EQ(memory[1], 42);
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, dev, &data, &size), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* Conditions for descriptions, and bytes that are not a description. Both sides are in this process. */
static void exports(void)
{
	struct doca_sync_event *event = event_new(dev), *other;
	const uint8_t *data, *again;
	uint8_t copy[256];
	uint64_t value;
	size_t size;

	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, dev, &data, &size), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_start(event));
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, NULL, &data, &size), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &size));
	CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &again, &size));
	CHECK(again == data && size <= sizeof(copy));
	CHECK_ERROR(doca_sync_event_create_from_export(NULL, data, size, &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_create_from_export(dpu_dev, data, size - 1, &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_create_from_export(dev, data, size, &other), DOCA_ERROR_NOT_SUPPORTED);
	for (size_t i = 0; i < size; i++) {
		memcpy(copy, data, size);
		copy[i] ^= 1;
		CHECK_ERROR(doca_sync_event_create_from_export(dpu_dev, copy, size, &other), DOCA_ERROR_INVALID_VALUE);
	}
	memcpy(copy, data, size);

	CHECK_OK(doca_sync_event_create_from_export(dpu_dev, copy, size, &other));
	CHECK_ERROR(doca_sync_event_add_publisher_location_remote_pci(other), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_sync_event_set_addr(other, &value), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_sync_event_get(other, &value), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_start(other));
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(other, dpu_dev, &again, &size), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_sync_event_update_set(other, 7));
	CHECK_OK(doca_sync_event_get(event, &value));
	CHECK_EQ(value, 7);
	CHECK_OK(doca_sync_event_update_add(event, 3, &value));
	CHECK_OK(doca_sync_event_wait_eq(other, 10, UINT64_MAX));

	/* The destruction of the exported event invalidates the description and the imported events. */
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK_ERROR(doca_sync_event_get(other, &value), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_update_add(other, 1, &value), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_wait_neq_yield(other, 10, UINT64_MAX), DOCA_ERROR_IO_FAILED);
	CHECK_OK(doca_sync_event_stop(other));
	CHECK_OK(doca_sync_event_destroy(other));
	CHECK_ERROR(doca_sync_event_create_from_export(dpu_dev, copy, size, &other), DOCA_ERROR_INVALID_VALUE);
}

/* An event that RDMA peers change is not exported to the other side of the card. */
static void export_locations(void)
{
	struct doca_sync_event *event;
	const uint8_t *data;
	size_t size;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	CHECK_OK(doca_sync_event_start(event));
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, dev, &data, &size), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &size));
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, dev, &data, &size), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

/* A description of an event is not accepted as a memory map's, and vice versa. */
static void confusions(void)
{
	static _Alignas(8) uint64_t memory;
	struct doca_sync_event *event = event_new(dev), *other;
	struct doca_mmap *map, *imported;
	const uint8_t *data;
	const void *desc;
	size_t size;

	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &size));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, data, size, dpu_dev, &imported), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &size));
	CHECK_ERROR(doca_sync_event_create_from_export(dpu_dev, desc, size, &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

int main(void)
{
	dev = rig_open_device("81:00.0");
	dpu_dev = rig_open_device("03:00.0");
	arguments();
	locations();
	absent();
	capabilities(doca_dev_as_devinfo(dev));
	capabilities(doca_dev_as_devinfo(dpu_dev));
	blocking_life();
	context_life();
	buffers();
	exports();
	export_locations();
	confusions();
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(dpu_dev));
	rig_check_nothing_is_left();
	return 0;
}
