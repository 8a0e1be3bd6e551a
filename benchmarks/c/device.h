/*
 * A compress context of the first device that can deflate, and its blocks of registered memory, which are deflated in order.
 *
 *	fill the block at device_free_block() -> device_add() -> (progress) -> device_finished_block() -> device_drop()
 *
 * Blocks form a ring: they are added, submitted and dropped in order, and finish in any order. At most `parallel` are in flight.
 * The others may be filled, or wait to be written, so that the device does not wait for the file.
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
	uint8_t *member; /* room for a gzip member; the stream begins at GZIP_HEADER_BYTES */
	size_t stream_len;
	uint32_t crc; /* of the plain bytes, computed by the device */
	bool finished;
	struct doca_buf *src;
	struct doca_buf *dst;
};

/**
 * Opens a device, registers memory for num_blocks (>= parallel) and starts a context. On failure prints an error and returns
 * NULL.
 */
struct device *device_open(uint32_t parallel, uint32_t num_blocks, size_t block_size);
/**
 * Stops and frees everything. On failure prints an error and returns false. All blocks must have been dropped, or have failed.
 */
bool device_close(struct device *device);

/** Returns the block with this number, from 0, which must not be in use. Its content stays until it is overwritten. */
struct block *device_block(struct device *device, uint32_t number);
/** Returns the next block to fill, or NULL while all are in use. */
struct block *device_free_block(struct device *device);
/** Passes the free block, with its plain_len set, to the device. */
void device_add(struct device *device);
/** Returns the oldest block, if it is finished, or NULL. */
struct block *device_finished_block(struct device *device);
/** Frees the oldest block for re-use. */
void device_drop(struct device *device);
/** Returns whether no block is in use. */
bool device_is_empty(const struct device *device);

/** Makes progress, for at most budget completions. Returns whether there was one. */
bool device_progress(struct device *device, unsigned int budget);
/** Sleeps until there is something to progress, at most timeout_ms. */
void device_sleep(struct device *device, int timeout_ms);
/**
 * Waits for completions without other work, for at most budget of them: polls for some time, then sleeps, as the engine's
 * `adaptive` strategy does. Returns whether it slept.
 */
bool device_wait(struct device *device, unsigned int budget);
/** Returns nanoseconds of a monotonic clock. */
uint64_t device_now_ns(void);
/** Returns whether a task or a call failed; the error was printed. */
bool device_has_failed(const struct device *device);

#endif
