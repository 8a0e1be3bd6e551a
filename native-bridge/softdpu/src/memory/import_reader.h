/*
 * A thread that reads numbers of one exporting process for threads that the device cannot replace. A hostile process can block
 * such a read inside the kernel for ever. Then only this thread waits. The first read starts the thread; the end of the
 * connection to the process ends it.
 *
 * Thread: any, except for the end.
 */
#ifndef IMPORT_READER_H
#define IMPORT_READER_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "import.h"

/** Reads a number. Runs on the reader thread. */
typedef doca_error_t (*import_reader_read)(struct sd_import *import, uint64_t *value);

/** Zero-initialise. */
struct import_reader {
	pid_t owner;				/**< process that has the thread; 0: none. A forked child has none */
	pthread_t thread;
	pthread_mutex_t lock;			/**< guards all members below */
	pthread_cond_t changed;
	uint8_t has_caller;			/**< a thread waits for the result */
	uint8_t is_busy;			/**< until the thread has read the import below */
	uint8_t is_stuck;			/**< busy for longer than a caller that may block waits */
	uint8_t is_closing;
	import_reader_read read;
	struct sd_import import;
	doca_error_t result;
	uint64_t value;
	void (*abandoned)(struct import_reader *reader);	/**< not NULL: the thread calls it at its end */
};

/**
 * Reads a number on the reader thread. A caller that may block waits for at most 2 s, another one for at most 1 ms. AGAIN: this
 * read or an earlier one has not ended; NOT_PERMITTED: too many threads are stuck; OPERATING_SYSTEM; else the result of read.
 */
doca_error_t import_reader_load(struct import_reader *reader, const struct sd_import *import, import_reader_read read,
				uint64_t *value, uint8_t may_block);

/** @name Around fork(): no reader thread starts in between */
/** @{ */
void import_reader_hold(void);
void import_reader_release(void);
/** @} */

/** Ends the thread. Returns 0 if it is stuck: it then calls abandoned(reader) when its read returns. */
uint8_t import_reader_close(struct import_reader *reader, void (*abandoned)(struct import_reader *reader));

#endif
