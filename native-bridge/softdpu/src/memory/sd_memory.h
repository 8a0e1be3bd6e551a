/*
 * Internal interface to memory maps and buffers for the rest of the software DPU.
 *
 * Task libraries (compress, dma, ...) never read a doca_buf while a task is in flight: they latch the buffer at submission. A
 * latch is a private copy of the addresses, so a program may release or reuse its buffers at once. See device semantics,
 * "Messages and task descriptors are latched at submit". While a latch is held, its memory maps refuse stop and destroy. No
 * hardware thread can therefore access unmapped memory. The inventory or pool of the first buffer refuses destroy, so that a
 * commit can detect a returned buffer.
 *
 * Only sd_latch_copy() and sd_latch_flip_bit() access the memory of an imported map: its addresses are invalid in this process.
 *
 * Thread: the progress engine's, except the functions that access latched memory, which run on hardware threads.
 */
#ifndef SD_MEMORY_H
#define SD_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_buf.h"
#include "doca_dev.h"
#include "doca_error.h"
#include "sd_dev.h"

struct stock;

struct sd_import;
struct number_change;

/** One contiguous piece of memory. */
struct sd_segment {
	uint8_t *addr;
	size_t len;
	struct sd_import *import;		/**< NULL: memory of this process; else addr belongs to the exporter */
	uint64_t via;				/**< key of the exporter's RDMA connection, for memory of an RDMA peer; else 0 */
};

/** Position in latched memory. */
struct sd_cursor {
	const struct sd_segment *segment;
	size_t offset;				/**< in the segment */
};

enum { SD_LATCH_INLINE_SEGMENTS = 2 };

/** Snapshot of a buffer list at the submission of its task. Zero-initialise; release with sd_latch_release(). */
struct sd_latch {
	struct sd_segment *segments;		/**< array of count pieces; inline_segments or heap memory */
	struct sd_segment inline_segments[SD_LATCH_INLINE_SEGMENTS];
	struct doca_mmap **maps;		/**< held maps, one per piece; inline_maps or heap memory */
	struct doca_mmap *inline_maps[SD_LATCH_INLINE_SEGMENTS];
	uint32_t count;
	size_t total;				/**< sum of all pieces, in bytes */
	struct stock *stock;			/**< held stock of the first buffer */
	struct doca_buf *head;			/**< destination's first buffer; only sd_latch_commit() reads it */
	uint64_t generation;			/**< of head at submission; a returned buffer has another one */
};

/**
 * Latches the content [data, data + data_len) of every element of a source list. An empty list (total 0) is a valid latch; the
 * task decides if it accepts one.
 * @return DOCA_SUCCESS; DOCA_ERROR_INVALID_VALUE: content outside its window, or buf is NULL;
 *         DOCA_ERROR_NOT_PERMITTED: dev is not one of the map's devices, or the map is imported; DOCA_ERROR_NO_MEMORY.
 */
doca_error_t sd_latch_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev);

/**
 * Latches the free room of every element of a destination list: [data + data_len, head + len).
 * @return as sd_latch_source(); also DOCA_ERROR_NOT_PERMITTED when the map permits neither LOCAL_READ_WRITE nor PCI_READ_WRITE.
 */
doca_error_t sd_latch_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev);

/**
 * Latches a list that may contain imported maps, for tasks that use sd_latch_copy(). The exporter's permissions apply to them.
 */
doca_error_t sd_latch_any_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev);
doca_error_t sd_latch_any_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev);

/**
 * Latches len bytes of an RDMA peer, from the data address of the first element of a list.
 * @return DOCA_SUCCESS; DOCA_ERROR_INVALID_VALUE: the range exceeds the buffer, or buf is NULL; DOCA_ERROR_NOT_PERMITTED: dev is
 *         not one of the map's devices, the map was not imported from an RDMA peer, or the peer did not grant the permission.
 */
doca_error_t sd_latch_remote(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev, uint32_t permission,
			     size_t len);
/** Sets the connection for accesses to the memory of a sd_latch_remote(), by its key in the exporting process. */
static inline void sd_latch_set_via(struct sd_latch *latch, uint64_t via)
{
	latch->segments[0].via = via;
}

/**
 * Sets the function that returns whether an open RDMA connection of this process, by its key, permits its peer an access. The
 * service thread calls the function.
 */
void sd_memory_ask_connections(uint8_t (*permits)(uint64_t via, uint32_t permission));

/** Counts an ended RDMA connection of this process, for the importers of its memory: sd_latch_ends(). Any thread. */
void sd_memory_count_end(void);

/** Ends all exports of a host, as the end of its process does: see sd_host.h. Their maps and events still close them. Any thread. */
void sd_memory_kill_host(uint32_t host);
/**
 * Sets *ends to a number that changes when an RDMA connection of the process pid has ended. Returns 0 if another process exported the
 * memory of the sd_latch_remote(), or if the number is not known.
 */
uint8_t sd_latch_ends(const struct sd_latch *latch, pid_t pid, uint64_t *ends);

enum { SD_EXPORTER_CHECKS = -1 /* another process exported the memory, and checks the connection at each access */ };

/** Returns the process that exported the memory of a sd_latch_remote(); 0: this one; or SD_EXPORTER_CHECKS. */
pid_t sd_latch_exporter(const struct sd_latch *latch);

/** Returns the VHCA id of the device that exported the memory of a sd_latch_remote(). */
uint16_t sd_latch_remote_vhca_id(const struct sd_latch *latch);

/**
 * Copies all of one latch to the beginning of another one, which must have the room. Accesses only bytes of the pieces. bounce:
 * memory of len bytes for copies between two imported maps.
 * @return DOCA_SUCCESS; DOCA_ERROR_IO_FAILED: an exporter withdrew its memory, or has ended; part of the data may be copied.
 */
doca_error_t sd_latch_copy(const struct sd_latch *to, const struct sd_latch *from, void *bounce, size_t len);

/** Copies len bytes at an offset of both latches, which contain them. At most one latch has imported maps. */
doca_error_t sd_latch_copy_part(const struct sd_latch *to, const struct sd_latch *from, size_t offset, size_t len);

/**
 * Changes the 8 bytes of a sd_latch_remote() atomically for all processes. IO_FAILED: not aligned, no permission, or the exporter
 * has withdrawn the memory or ended.
 */
doca_error_t sd_latch_apply(const struct sd_latch *remote, const struct number_change *change, uint64_t *before);

/** Returns true if sd_latch_copy() would wait for a stuck exporting process. Any thread, while the latch is held. */
uint8_t sd_latch_is_held_up(const struct sd_latch *latch);
/** Flips one bit of the byte at an offset of the latched memory, if the memory is still accessible. */
void sd_latch_flip_bit(const struct sd_latch *latch, size_t offset);

/** @name Access to latched memory of this process, piece by piece */
/** @{ */
/** Returns the position at an offset, which is less than the latch's total. */
struct sd_cursor sd_latch_seek(const struct sd_latch *latch, size_t offset);
/** Returns the number of contiguous bytes at a position before the end of the latch; at least 1. */
size_t sd_cursor_left(struct sd_cursor *cursor);
/** Returns the address of the position, and moves the position by len bytes, at most sd_cursor_left(). */
uint8_t *sd_cursor_take(struct sd_cursor *cursor, size_t len);
/** Copies len bytes at an offset from or to latched memory, which contains them. */
void sd_latch_read(const struct sd_latch *latch, size_t offset, uint8_t *to, size_t len);
void sd_latch_write(const struct sd_latch *latch, size_t offset, const uint8_t *from, size_t len);
/** @} */

/**
 * Adds the produced bytes to the destination's data lengths, element by element. Does nothing if the program returned the
 * buffer after the latch (quirk Q22).
 */
void sd_latch_commit(const struct sd_latch *latch, size_t produced);

/** Releases the maps and heap memory. Idempotent. */
void sd_latch_release(struct sd_latch *latch);

#endif
