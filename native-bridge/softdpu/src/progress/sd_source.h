/*
 * Descriptors that the program's thread reads while it polls its engine: see sd_engine.h. A library offers a descriptor after
 * an arrival on it. The engine returns a descriptor after many polls without an arrival, and all descriptors when the program
 * stops polling. One system call finds all ready descriptors; a single descriptor is read without that call.
 *
 *   another thread:    sd_source_offer ----> list and epoll of the engine
 *   program's thread:  poll of the engine -> ready(source)
 *   program's thread:  request for a notification, or idle for long -> withdraw(source)
 *
 * Thread: any, unless a function states otherwise; one lock per engine. The memory of a source must stay valid until the
 * program's thread has withdrawn it.
 */
#ifndef SD_SOURCE_H
#define SD_SOURCE_H

#include <pthread.h>
#include <stdint.h>

#include "doca_error.h"

struct doca_pe;

/** A descriptor of a library. Zero-initialise. */
struct sd_source {
	int fd;
	/**
	 * Reads about budget packets; there may be none. The callback must not call the program. Thread: program's, no lock.
	 */
	void (*ready)(struct sd_source *source, uint32_t budget);
	/** Withdraws the source; from now on the library must detect arrivals. Thread: program's, no lock. */
	void (*withdraw)(struct sd_source *source);
	uint8_t is_offered;
	uint64_t last_ready;			/**< number of the last poll that found it ready */
	struct sd_source *next, *prev;
};

/** Sources of one engine. */
struct sd_sources {
	pthread_mutex_t lock;			/**< of all fields below */
	uint8_t is_polling;			/**< sources are accepted */
	uint8_t is_refusing;			/**< the system refused the last source, and the log names the cause */
	struct sd_source *first, *last;		/**< most recently ready source first */
	uint64_t num_polls;
	_Atomic uint32_t count;			/**< also read without the lock */
	int epoll_fd;				/**< -1: no library of the engine has sources */
};

/** Prepares the engine for sources. INITIALIZATION: out of descriptors. Thread: program's. */
doca_error_t sd_sources_open(struct doca_pe *pe);

/**
 * Offers a source, whose members are set. Returns 1 if the program reads it; 0 if the program does not poll, or the system
 * refuses it.
 */
uint8_t sd_source_offer(struct doca_pe *pe, struct sd_source *source);

/** Withdraws a source; does nothing if it is not offered. */
void sd_source_withdraw(struct doca_pe *pe, struct sd_source *source);

/** @name Functions for the engine; program's thread */
/** @{ */
void sd_sources_init(struct sd_sources *sources);
void sd_sources_fini(struct sd_sources *sources);
/** Accepts sources from now on, because the program polls. */
void sd_sources_accept(struct sd_sources *sources);
/** Reads the ready sources. */
void sd_sources_read(struct sd_sources *sources, uint32_t budget);
/** Returns all sources to their libraries, because the program stopped polling. */
void sd_sources_rest(struct sd_sources *sources);
/** @} */

#endif
