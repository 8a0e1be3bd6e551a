#include "sd_thread.h"

#include <signal.h>
#include <time.h>

#include "sd_census.h"

int sd_thread_start(pthread_t *thread, const char *name, void *(*run)(void *argument), void *argument)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0)
		return error;
	pthread_setname_np(*thread, name);
	sd_census_add(SD_CENSUS_HARDWARE_THREADS, 1);
	return 0;
}

void sd_thread_join(pthread_t thread)
{
	pthread_join(thread, NULL);
	sd_census_add(SD_CENSUS_HARDWARE_THREADS, -1);
}

void sd_thread_init_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}
