#include "device_inside.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>

#include <doca_buf.h>

/* Values of the engine's `adaptive` strategy: polls for SPIN_NS, then sleeps until the device signals or the time limit. */
#define SPIN_NS 100000u
#define PARK_MS 5

bool device_succeeds(struct device *device, const char *what, doca_error_t result)
{
	if (result == DOCA_SUCCESS)
		return true;
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, doca_error_get_name(result));
	device->failed = true;
	return false;
}

static struct block *block_at(struct device *device, uint64_t position)
{
	return &device->blocks[position % device->num_blocks];
}

/* Submits filled blocks while there are idle tasks. After AGAIN the next call continues. */
static void submit_blocks(struct device *device)
{
	while (device->num_idle > 0 && device->submitted < device->added && !device->failed && !device->stopping) {
		struct doca_compress_task_compress_deflate *task = device->idle[device->num_idle - 1];
		struct doca_task *base = doca_compress_task_compress_deflate_as_task(task);
		struct block *block = block_at(device, device->submitted);
		doca_error_t result;

		doca_compress_task_compress_deflate_set_src(task, block->src);
		doca_compress_task_compress_deflate_set_dst(task, block->dst);
		doca_task_set_user_data(base, (union doca_data){ .ptr = block });
		result = doca_task_submit(base);
		if (result == DOCA_ERROR_AGAIN)
			return;
		if (!device_succeeds(device, "doca_task_submit", result))
			return;
		device->num_idle--;
		device->submitted++;
	}
}

void device_on_done(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data)
{
	struct device *device = ctx_data.ptr;
	struct block *block = task_data.ptr;

	if (device_succeeds(device, "doca_buf_get_data_len", doca_buf_get_data_len(block->dst, &block->stream_len))) {
		block->crc = doca_compress_task_compress_deflate_get_crc_cs(task);
		block->finished = true;
	}
	device->idle[device->num_idle++] = task;
	submit_blocks(device);
}

void device_on_failed(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data)
{
	struct device *device = ctx_data.ptr;

	(void)task_data;
	device_succeeds(device, "task", doca_task_get_status(doca_compress_task_compress_deflate_as_task(task)));
	device->idle[device->num_idle++] = task;
}

struct block *device_block(struct device *device, uint32_t number)
{
	return &device->blocks[number];
}

struct block *device_free_block(struct device *device)
{
	return device->added - device->dropped < device->num_blocks ? block_at(device, device->added) : NULL;
}

void device_add(struct device *device)
{
	struct block *block = block_at(device, device->added);

	block->finished = false;
	if (!device_succeeds(device, "doca_buf_set_data", doca_buf_set_data(block->src, block->plain, block->plain_len)) ||
	    !device_succeeds(device, "doca_buf_reset_data_len", doca_buf_reset_data_len(block->dst)))
		return;
	device->added++;
	submit_blocks(device);
}

struct block *device_finished_block(struct device *device)
{
	struct block *block = block_at(device, device->dropped);

	return device->dropped < device->submitted && block->finished ? block : NULL;
}

void device_drop(struct device *device)
{
	device->dropped++;
}

bool device_is_empty(const struct device *device)
{
	return device->dropped == device->added;
}

bool device_progress(struct device *device, unsigned int budget)
{
	unsigned int events = 0;

	while (events < budget && doca_pe_progress(device->pe))
		events++;
	submit_blocks(device);
	return events > 0;
}

void device_sleep(struct device *device, int timeout_ms)
{
	struct epoll_event event;

	if (!device_succeeds(device, "doca_pe_request_notification", doca_pe_request_notification(device->pe)))
		return;
	if (epoll_wait(device->epoll, &event, 1, timeout_ms) < 0 && errno != EINTR)
		device_succeeds(device, "epoll_wait", DOCA_ERROR_OPERATING_SYSTEM);
	device_succeeds(device, "doca_pe_clear_notification", doca_pe_clear_notification(device->pe, device->handle));
}

uint64_t device_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool device_wait(struct device *device, unsigned int budget)
{
	uint64_t until = device_now_ns() + SPIN_NS;

	do {
		if (device_progress(device, budget))
			return false;
		sched_yield(); /* the device's thread may need this processor */
	} while (device_now_ns() < until);
	device_sleep(device, PARK_MS);
	return true;
}

bool device_has_failed(const struct device *device)
{
	return device->failed;
}
