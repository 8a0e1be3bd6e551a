/* Internals of a device: device_life.c opens and closes it, device.c runs tasks. */
#ifndef DEVICE_INSIDE_H
#define DEVICE_INSIDE_H

#include "device.h"

#include <doca_compress.h>
#include <doca_error.h>
#include <doca_pe.h>

struct device {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	struct doca_compress *compress;
	struct doca_ctx *ctx;
	uint8_t *memory;
	size_t memory_bytes;
	int epoll;
	doca_notification_handle_t handle;

	struct doca_compress_task_compress_deflate **idle; /* stack of idle tasks */
	uint32_t num_idle;
	uint32_t num_tasks;

	struct block *blocks;
	uint32_t num_blocks;
	uint64_t added; /* free-running; block = position % num_blocks */
	uint64_t submitted;
	uint64_t dropped;
	bool stopping;
	bool failed;
};

/** Returns whether result is success; otherwise prints the failed operation and marks the device as failed. */
bool device_succeeds(struct device *device, const char *what, doca_error_t result);

/** Completion callbacks of the tasks. */
void device_on_done(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data);
void device_on_failed(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data);

#endif
