#include "device_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_mmap.h>

#include "gzip.h"

#define PAGE_BYTES 4096u
/* Maximum number of sleeps of STOP_SLEEP_MS before the program gives up a context that is not idle: half a minute. */
#define STOP_SLEEPS 6000
#define STOP_SLEEP_MS 5

static bool fits(const struct doca_devinfo *info, uint64_t buffer_bytes)
{
	uint64_t limit;

	return doca_compress_cap_task_compress_deflate_is_supported(info) == DOCA_SUCCESS &&
	       doca_compress_cap_task_compress_deflate_get_max_buf_size(info, &limit) == DOCA_SUCCESS && buffer_bytes <= limit;
}

static bool open_dev(struct device *device, uint64_t buffer_bytes)
{
	struct doca_devinfo **list;
	uint32_t count;
	doca_error_t result = DOCA_ERROR_NOT_SUPPORTED;

	if (!device_succeeds(device, "doca_devinfo_create_list", doca_devinfo_create_list(&list, &count)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!fits(list[i], buffer_bytes))
			continue;
		result = doca_dev_open(list[i], &device->dev);
		break;
	}
	device_succeeds(device, "open a device that deflates blocks of this size", result);
	device_succeeds(device, "doca_devinfo_destroy_list", doca_devinfo_destroy_list(list));
	return !device->failed;
}

static bool register_memory(struct device *device)
{
	device->memory =
		mmap(NULL, device->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (device->memory == MAP_FAILED) {
		device->memory = NULL;
		return device_succeeds(device, "memory for the blocks", DOCA_ERROR_NO_MEMORY);
	}
	return device_succeeds(device, "doca_mmap_create", doca_mmap_create(&device->map)) &&
	       device_succeeds(device, "doca_mmap_set_memrange",
			       doca_mmap_set_memrange(device->map, device->memory, device->memory_bytes)) &&
	       device_succeeds(device, "doca_mmap_set_permissions",
			       doca_mmap_set_permissions(device->map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE)) &&
	       device_succeeds(device, "doca_mmap_add_dev", doca_mmap_add_dev(device->map, device->dev)) &&
	       device_succeeds(device, "doca_mmap_start", doca_mmap_start(device->map));
}

static bool make_blocks(struct device *device, size_t plain_bytes, size_t member_bytes)
{
	uint8_t *at = device->memory;

	device->blocks = calloc(device->num_blocks, sizeof(*device->blocks));
	if (device->blocks == NULL)
		return device_succeeds(device, "blocks", DOCA_ERROR_NO_MEMORY);
	if (!device_succeeds(device, "doca_buf_inventory_create",
			     doca_buf_inventory_create(2 * (size_t)device->num_blocks, &device->inventory)) ||
	    !device_succeeds(device, "doca_buf_inventory_start", doca_buf_inventory_start(device->inventory)))
		return false;
	for (uint32_t i = 0; i < device->num_blocks; i++) {
		struct block *block = &device->blocks[i];

		block->plain = at;
		block->member = at + plain_bytes;
		at += plain_bytes + member_bytes;
		if (!device_succeeds(device, "source buffer",
				     doca_buf_inventory_buf_get_by_addr(device->inventory, device->map, block->plain,
									plain_bytes, &block->src)) ||
		    !device_succeeds(device, "destination buffer",
				     doca_buf_inventory_buf_get_by_addr(device->inventory, device->map,
									block->member + GZIP_HEADER_BYTES,
									member_bytes - GZIP_FRAME_BYTES, &block->dst)))
			return false;
	}
	return true;
}

static bool start_context(struct device *device)
{
	union doca_data user_data = { .ptr = device };

	if (!device_succeeds(device, "doca_compress_create", doca_compress_create(device->dev, &device->compress)))
		return false;
	device->ctx = doca_compress_as_ctx(device->compress);
	return device_succeeds(device, "doca_pe_connect_ctx", doca_pe_connect_ctx(device->pe, device->ctx)) &&
	       device_succeeds(device, "doca_ctx_set_user_data", doca_ctx_set_user_data(device->ctx, user_data)) &&
	       device_succeeds(device, "doca_compress_task_compress_deflate_set_conf",
			       doca_compress_task_compress_deflate_set_conf(device->compress, device_on_done, device_on_failed,
									    device->num_tasks)) &&
	       device_succeeds(device, "doca_ctx_start", doca_ctx_start(device->ctx));
}

static bool take_tasks(struct device *device)
{
	device->idle = calloc(device->num_tasks, sizeof(struct doca_compress_task_compress_deflate *));
	if (device->idle == NULL)
		return device_succeeds(device, "tasks", DOCA_ERROR_NO_MEMORY);
	while (device->num_idle < device->num_tasks) {
		struct block *block = &device->blocks[device->num_idle];
		doca_error_t result = doca_compress_task_compress_deflate_alloc_init(device->compress, block->src, block->dst,
										     (union doca_data){ .ptr = block },
										     &device->idle[device->num_idle]);

		if (!device_succeeds(device, "doca_compress_task_compress_deflate_alloc_init", result))
			return false;
		device->num_idle++;
	}
	return true;
}

static bool open_engine(struct device *device)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (!device_succeeds(device, "doca_pe_create", doca_pe_create(&device->pe)) ||
	    !device_succeeds(device, "doca_pe_get_notification_handle",
			     doca_pe_get_notification_handle(device->pe, &device->handle)))
		return false;
	device->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (device->epoll < 0 || epoll_ctl(device->epoll, EPOLL_CTL_ADD, device->handle, &event) != 0)
		return device_succeeds(device, "epoll", DOCA_ERROR_OPERATING_SYSTEM);
	return true;
}

static size_t round_up(size_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

struct device *device_open(uint32_t parallel, uint32_t num_blocks, size_t block_size)
{
	struct device *device = calloc(1, sizeof(*device));
	size_t plain_bytes = round_up(block_size);
	/* Incompressible data is stored, in pieces of some kilobytes with five bytes in front of each. */
	size_t member_bytes = round_up(block_size + block_size / 512 + 64 + GZIP_FRAME_BYTES);

	if (device == NULL) {
		fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
		return NULL;
	}
	device->epoll = -1;
	device->num_tasks = parallel;
	device->num_blocks = num_blocks;
	device->memory_bytes = device->num_blocks * (plain_bytes + member_bytes);
	if (open_engine(device) && open_dev(device, member_bytes) && register_memory(device) &&
	    make_blocks(device, plain_bytes, member_bytes) && start_context(device) && take_tasks(device))
		return device;
	device_close(device);
	return NULL;
}

/* Tasks in flight end first, successfully or flushed. Then all tasks are freed and the context becomes idle. */
static void stop_context(struct device *device)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	size_t in_flight = 0;
	doca_error_t result = doca_ctx_stop(device->ctx);

	if (result != DOCA_ERROR_IN_PROGRESS)
		device_succeeds(device, "doca_ctx_stop", result);
	for (int sleeps = 0; sleeps < STOP_SLEEPS; sleeps++) {
		while (doca_pe_progress(device->pe))
			;
		doca_ctx_get_num_inflight_tasks(device->ctx, &in_flight);
		while (in_flight == 0 && device->num_idle > 0)
			doca_task_free(doca_compress_task_compress_deflate_as_task(device->idle[--device->num_idle]));
		while (doca_pe_progress(device->pe))
			;
		doca_ctx_get_state(device->ctx, &state);
		if (state == DOCA_CTX_STATE_IDLE)
			return;
		device_sleep(device, STOP_SLEEP_MS);
	}
	device_succeeds(device, "stop the context", DOCA_ERROR_TIME_OUT);
}

static void release_blocks(struct device *device)
{
	for (uint32_t i = 0; device->blocks != NULL && i < device->num_blocks; i++) {
		if (device->blocks[i].src != NULL)
			device_succeeds(device, "release a source", doca_buf_dec_refcount(device->blocks[i].src, NULL));
		if (device->blocks[i].dst != NULL)
			device_succeeds(device, "release a destination", doca_buf_dec_refcount(device->blocks[i].dst, NULL));
	}
}

bool device_close(struct device *device)
{
	bool failed_before = device->failed;
	bool clean;

	device->failed = false;
	device->stopping = true;
	if (device->compress != NULL) {
		stop_context(device);
		device_succeeds(device, "doca_compress_destroy", doca_compress_destroy(device->compress));
	}
	release_blocks(device);
	if (device->inventory != NULL)
		device_succeeds(device, "doca_buf_inventory_destroy", doca_buf_inventory_destroy(device->inventory));
	if (device->map != NULL)
		device_succeeds(device, "doca_mmap_destroy", doca_mmap_destroy(device->map));
	if (device->dev != NULL)
		device_succeeds(device, "doca_dev_close", doca_dev_close(device->dev));
	if (device->pe != NULL)
		device_succeeds(device, "doca_pe_destroy", doca_pe_destroy(device->pe));
	if (device->epoll >= 0)
		close(device->epoll);
	if (device->memory != NULL)
		munmap(device->memory, device->memory_bytes);
	clean = !device->failed && !failed_before;
	free(device->idle);
	free(device->blocks);
	free(device);
	return clean;
}
