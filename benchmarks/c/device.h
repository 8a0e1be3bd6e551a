/*
 * A compress context of the first device that can deflate, with blocks of registered memory that go through it in order.
 *
 *	fill the block at device_free_block() -> device_add() -> (progress) -> device_finished_block() -> device_drop()
 *
 * Blocks are a ring: added, submitted and dropped in order, finished in any. At most `parallel` are in flight; the others may
 * be filled, or wait to be written, so that the device does not wait for the file.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doca_buf;
struct device;

struct block {
	uint8_t *plain; /* block_size bytes to fill */
	size_t plain_len;
	uint8_t *member; /* room for a gzip member; the stream stands at GZIP_HEADER_BYTES */
	size_t stream_len;
	uint32_t crc; /* of the plain bytes, as the device computed it */
	bool finished;
	struct doca_buf *src;
	struct doca_buf *dst;
};

/** Open, register memory for num_blocks (>= parallel), start. NULL on failure, which was printed to stderr. */
struct device *device_open(uint32_t parallel, uint32_t num_blocks, size_t block_size);
/** Stop and give everything back. False when something would not go; printed. Blocks must have been dropped, or failed. */
bool device_close(struct device *device);

/** The block with this number, from 0, which must not be in use; what is filled in stays until somebody overwrites it. */
struct block *device_block(struct device *device, uint32_t number);
/** The next block to fill, or NULL while all are in use. */
struct block *device_free_block(struct device *device);
/** Hand the free block, with its plain_len set, to the device. */
void device_add(struct device *device);
/** The oldest block, once it is finished, or NULL. */
struct block *device_finished_block(struct device *device);
/** Give the oldest block back. */
void device_drop(struct device *device);
/** Whether no block is in use. */
bool device_is_empty(const struct device *device);

/** Let things complete, at most budget. Returns whether there was something. */
bool device_progress(struct device *device, unsigned int budget);
/** Sleep until there is something to progress, at most timeout_ms. */
void device_sleep(struct device *device, int timeout_ms);
/**
 * Nothing else to do: let things complete, at most budget; look again for some time, then sleep, as the engine's `adaptive`
 * strategy does. Returns whether it had to sleep.
 */
bool device_wait(struct device *device, unsigned int budget);
/** Nanoseconds on a clock that only goes forward. */
uint64_t device_now_ns(void);
/** Whether a task or a call failed; what it was has been printed. */
bool device_has_failed(const struct device *device);

#endif
