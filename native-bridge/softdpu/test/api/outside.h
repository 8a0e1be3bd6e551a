/*
 * Common part of the programs for an installed SDK: one device, one memory range, one inventory, one progress engine. Each program
 * includes this header once and nothing else of the project's tests.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

DOCA_LOG_REGISTER(OUTSIDE);

/* Status of a program that finds no device for its tasks. A program defines 77, which skips it, before it includes this header. */
#ifndef NO_DEVICE
#define NO_DEVICE EXIT_FAILURE
#endif

#define MUST(call)                                                                                \
	do {                                                                                      \
		doca_error_t must = (call);                                                       \
		if (must != DOCA_SUCCESS) {                                                       \
			DOCA_LOG_ERR("%s: %s", #call, doca_error_get_descr(must));                \
			exit(EXIT_FAILURE);                                                       \
		}                                                                                 \
	} while (0)

struct outside {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
};

/* Tasks that ended, counted by the callbacks. */
static int num_done;

/* Returns whether a device can do the program's tasks. */
typedef int supports_fn(const struct doca_devinfo *devinfo);

/* Opens the first device that can do the program's tasks. Without one the program ends with status NO_DEVICE. */
static struct doca_dev *open_device(supports_fn *supports)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	MUST(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++)
		if (supports(list[i]))
			MUST(doca_dev_open(list[i], &dev));
	MUST(doca_devinfo_destroy_list(list));
	if (dev == NULL)
		exit(NO_DEVICE);
	return dev;
}

/* Opens a device, maps an area and creates an inventory of num_bufs buffers and a progress engine. */
static inline void open_outside(struct outside *out, supports_fn *supports, void *area, size_t len, size_t num_bufs)
{
	MUST(doca_log_backend_create_standard());
	out->dev = open_device(supports);
	MUST(doca_mmap_create(&out->mmap));
	MUST(doca_mmap_set_memrange(out->mmap, area, len));
	MUST(doca_mmap_add_dev(out->mmap, out->dev));
	MUST(doca_mmap_set_permissions(out->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(out->mmap));
	MUST(doca_buf_inventory_create(num_bufs, &out->inventory));
	MUST(doca_buf_inventory_start(out->inventory));
	MUST(doca_pe_create(&out->pe));
}

/* Destroys what open_outside created. The program destroys its context first. */
static inline void close_outside(struct outside *out)
{
	MUST(doca_pe_destroy(out->pe));
	MUST(doca_buf_inventory_destroy(out->inventory));
	MUST(doca_mmap_destroy(out->mmap));
	MUST(doca_dev_close(out->dev));
}

/* Polls until num tasks ended; fails the program after 2e9 polls. */
static inline void wait_for(struct doca_pe *pe, int num)
{
	long turns;

	for (turns = 0; num_done < num && turns < 2000000000L; turns++)
		(void)doca_pe_progress(pe);
	if (num_done != num)
		exit(EXIT_FAILURE);
}
