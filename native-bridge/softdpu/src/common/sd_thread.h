/*
 * Threads of the library. The threads block all signals, because the program's threads handle signals, and the census counts
 * them.
 */
#ifndef SD_THREAD_H
#define SD_THREAD_H

#include <pthread.h>

/** Starts a thread with a name of at most 15 characters. Returns an error number, or 0. */
int sd_thread_start(pthread_t *thread, const char *name, void *(*run)(void *argument), void *argument);

/** Waits for the end of a thread. */
void sd_thread_join(pthread_t thread);

/** Initializes a condition whose timed waits use monotonic time. */
void sd_thread_init_condition(pthread_cond_t *condition);

#endif
