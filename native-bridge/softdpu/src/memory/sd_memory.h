/*
 * What the rest of the software DPU may know of devices, memory maps and buffers.
 *
 * Task libraries (compress, dma, ...) never look into a doca_buf while a task is in flight: they latch it at
 * submission. A latch is a private copy of the addresses, so that a program may drop or re-use its buffers at once
 * (device semantics, "Messages and task descriptors are latched at submit"). While a latch is held, the memory maps it
 * points into refuse stop and destroy, so that no hardware thread ever touches unmapped memory, and the inventory or pool
 * of the first buffer refuses destroy, so that a returned buffer can still be recognised.
 *
 * Memory of a map that was made from an export is reached by sd_latch_copy() alone: its addresses mean nothing here.
 *
 * Thread: that of the progress engine, but for sd_latch_copy() and sd_latch_flip_bit(), which are a hardware thread's.
 */
#ifndef SD_MEMORY_H
#define SD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "doca_buf.h"
#include "doca_dev.h"
#include "doca_error.h"

struct stock;

struct sd_import;

/** One contiguous piece of memory. */
struct sd_segment {
	uint8_t *addr;
	size_t len;
	struct sd_import *import;		/**< NULL: memory of this process; otherwise addr is the exporter's */
};

enum { SD_LATCH_INLINE_SEGMENTS = 2 };

/** A buffer list as it was when its task was submitted. Zero-initialise; release with sd_latch_release(). */
struct sd_latch {
	struct sd_segment *segments;		/**< count pieces; points to inline_segments or to the heap */
	struct sd_segment inline_segments[SD_LATCH_INLINE_SEGMENTS];
	struct doca_mmap **maps;		/**< the maps held busy, one per piece; inline_maps or the heap */
	struct doca_mmap *inline_maps[SD_LATCH_INLINE_SEGMENTS];
	uint32_t count;
	size_t total;				/**< sum of all pieces, bytes */
	struct stock *stock;			/**< that the first buffer came from; held busy */
	struct doca_buf *head;			/**< only to be compared and committed, never followed elsewhere */
	uint64_t generation;			/**< of head when it was latched; differs once the buffer was returned */
};

/**
 * Latch the content [data, data + data_len) of every element of a source list.
 * An empty list (total 0) is a valid latch: what to make of it is the task's business.
 * @return DOCA_SUCCESS; DOCA_ERROR_INVALID_VALUE: content outside its window, or buf is NULL;
 *         DOCA_ERROR_NOT_PERMITTED: dev is not one of the map's devices, or the map is imported; DOCA_ERROR_NO_MEMORY.
 */
doca_error_t sd_latch_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev);

/**
 * Latch the free room of every element of a destination list: [data + data_len, head + len).
 * @return as sd_latch_source(); also DOCA_ERROR_NOT_PERMITTED when the map permits neither LOCAL_READ_WRITE nor PCI_READ_WRITE.
 */
doca_error_t sd_latch_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev);

/** The same for tasks that can reach imported maps (sd_latch_copy()); what the exporter permits counts there. */
doca_error_t sd_latch_any_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev);
doca_error_t sd_latch_any_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev);

/**
 * Copy all of one latch to the beginning of another, which has the room. Never touches a byte outside of the pieces.
 * bounce: len bytes for data on its way between two imported maps.
 * @return DOCA_SUCCESS; DOCA_ERROR_IO_FAILED: an exporter took its memory back, or is gone. Part may have been copied.
 */
doca_error_t sd_latch_copy(const struct sd_latch *to, const struct sd_latch *from, void *bounce, size_t len);

/** Whether sd_latch_copy() would wait for an exporting process that is stuck. Any thread, while the latch is held. */
uint8_t sd_latch_is_held_up(const struct sd_latch *latch);
/** Damage the byte at an offset of the latched memory, if it can still be reached. */
void sd_latch_flip_bit(const struct sd_latch *latch, size_t offset);

/**
 * Grow the destination's data lengths by what the task produced, element by element. Does nothing when the buffer was
 * returned since it was latched (quirk Q22).
 */
void sd_latch_commit(const struct sd_latch *latch, size_t produced);

/** Let go of the maps and of heap memory. Idempotent. */
void sd_latch_release(struct sd_latch *latch);

/** What a kind of card can do. One static table per profile; see device/profile.c. */
struct sd_profile;

/** The profile of the card that a device belongs to; never NULL. */
const struct sd_profile *sd_devinfo_profile(const struct doca_devinfo *devinfo);

/** Whether a device sits on the DPU side of the card (true) or on the host side (false). */
uint8_t sd_devinfo_is_dpu_side(const struct doca_devinfo *devinfo);

/** A context or a map uses this opened device: doca_dev_close() answers IN_USE until it is released. */
void sd_dev_hold(struct doca_dev *dev);
void sd_dev_release(struct doca_dev *dev);

#endif
