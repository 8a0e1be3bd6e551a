/*
 * Descriptors that the program's thread reads itself while it polls its engine: see sd_engine.h. A library offers a descriptor as soon as
 * something arrives on it. It gets back those on which nothing has arrived for many polls, and all when the program stops polling. One
 * system call finds out which of them are ready, however many there are; one that is alone is read without that call.
 *
 *   another thread:    sd_source_offer ----> list and epoll of the engine
 *   program's thread:  poll of the engine -> ready(source)
 *   program's thread:  request for a notification, or idle for long -> take_back(source), which withdraws it
 *
 * Thread: any, unless a function says otherwise; one lock per engine. The memory of a source stays until the program's thread has
 * withdrawn it.
 */
#ifndef SD_SOURCE_H
#define SD_SOURCE_H

#include <pthread.h>
#include <stdint.h>

#include "doca_error.h"

struct doca_pe;

/** Part of what a library reads. Zero-initialise. */
struct sd_source {
	int fd;
	/** Program's thread, no lock: read about budget packets; there may be none. Nothing may be called that calls the program. */
	void (*ready)(struct sd_source *source, uint32_t budget);
	/** Program's thread, no lock: withdraw the source; from now on it is for the library to notice what arrives. */
	void (*take_back)(struct sd_source *source);
	uint8_t is_offered;
	uint64_t last_ready;			/**< number of the poll that found it ready */
	struct sd_source *next, *prev;
};

/** Of one engine. */
struct sd_sources {
	pthread_mutex_t lock;			/**< of all below */
	uint8_t is_polling;			/**< sources are accepted */
	struct sd_source *first, *last;		/**< the one that was ready last comes first */
	uint64_t num_polls;
	_Atomic uint32_t count;			/**< read without the lock as well */
	int epoll_fd;				/**< -1: no library of the engine has sources */
};

/** Program's thread: a library will have sources on this engine. INITIALIZATION: out of descriptors. */
doca_error_t sd_sources_open(struct doca_pe *pe);

/** Have the engine's program read a source, whose members are set: 1. 0: the program does not poll, or the system has no room. */
uint8_t sd_source_offer(struct doca_pe *pe, struct sd_source *source);

/** The program reads it no more. Nothing happens when it does not. */
void sd_source_withdraw(struct doca_pe *pe, struct sd_source *source);

/** @name The engine's side; program's thread */
/** @{ */
void sd_sources_init(struct sd_sources *sources);
void sd_sources_fini(struct sd_sources *sources);
/** The program polls from now on. */
void sd_sources_accept(struct sd_sources *sources);
/** Read what is ready. */
void sd_sources_read(struct sd_sources *sources, uint32_t budget);
/** The program polls no more: take all back. */
void sd_sources_rest(struct sd_sources *sources);
/** @} */

#endif
