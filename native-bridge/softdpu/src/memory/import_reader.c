#include "import_reader.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "sd_census.h"
#include "sd_log.h"
#include "sd_peer.h"
#include "sd_thread.h"

enum { SHORT_READ_LIMIT_NS = 1000000, NS_PER_S = 1000000000 };

static const uint64_t READ_LIMIT_NS = UINT64_C(2000000000);
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t num_stuck;

void import_reader_hold(void)
{
	pthread_mutex_lock(&start_lock);
}

void import_reader_release(void)
{
	pthread_mutex_unlock(&start_lock);
}

/* Waits until the thread is idle and, with must_be_free, no caller waits. Returns 0 at the deadline. The lock must be held. */
static uint8_t wait_for_idle(struct import_reader *reader, uint8_t must_be_free, const struct timespec *deadline)
{
	int error = 0;

	while (error == 0 && (reader->is_busy || (must_be_free && reader->has_caller)))
		error = pthread_cond_timedwait(&reader->changed, &reader->lock, deadline);
	return error == 0;
}

static struct timespec time_in(uint64_t delay_ns)
{
	struct timespec then;

	clock_gettime(CLOCK_MONOTONIC, &then);
	delay_ns += (uint64_t)then.tv_nsec;
	then.tv_sec += (time_t)(delay_ns / NS_PER_S);
	then.tv_nsec = (long)(delay_ns % NS_PER_S);
	return then;
}

/* The read has lasted too long. The lock must be held. */
static void mark_stuck(struct import_reader *reader)
{
	if (!reader->is_stuck)
		atomic_fetch_add(&num_stuck, 1);
	reader->is_stuck = 1;
}

/* The lock must be held; the function releases it during the read. */
static void read_number(struct import_reader *reader)
{
	doca_error_t result;
	uint64_t value = 0;

	pthread_mutex_unlock(&reader->lock);
	result = reader->read(&reader->import, &value);
	pthread_mutex_lock(&reader->lock);
	reader->result = result;
	reader->value = value;
	reader->is_busy = 0;
	if (reader->is_stuck)
		atomic_fetch_sub(&num_stuck, 1);
	reader->is_stuck = 0;
	pthread_cond_broadcast(&reader->changed);
}

static void *run(void *argument)
{
	struct import_reader *reader = argument;
	void (*abandoned)(struct import_reader *reader);

	pthread_mutex_lock(&reader->lock);
	while (!reader->is_closing || reader->is_busy) {
		if (reader->is_busy)
			read_number(reader);
		else
			pthread_cond_wait(&reader->changed, &reader->lock);
	}
	abandoned = reader->abandoned;
	pthread_mutex_unlock(&reader->lock);
	if (abandoned == NULL)
		return NULL;
	abandoned(reader);
	sd_census_add(SD_CENSUS_HARDWARE_THREADS, -1);
	return NULL;
}

/* The start lock must be held. */
static doca_error_t start(struct import_reader *reader)
{
	int error;

	if (atomic_load(&num_stuck) >= SD_PEER_MAX_ABANDONED)
		return DOCA_ERROR_NOT_PERMITTED;
	pthread_mutex_init(&reader->lock, NULL);
	sd_thread_init_condition(&reader->changed);
	/* A child of fork() has the flags of its parent's thread. */
	reader->has_caller = reader->is_busy = reader->is_stuck = reader->is_closing = 0;
	reader->abandoned = NULL;
	error = sd_thread_start(&reader->thread, "softdpu-import", run, reader);
	if (error != 0) {
		SD_LOG_ERROR("cannot start a thread that reads imported events: error %d", error);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	reader->owner = getpid();
	return DOCA_SUCCESS;
}

static doca_error_t start_once(struct import_reader *reader)
{
	doca_error_t result;

	pthread_mutex_lock(&start_lock);
	result = reader->owner == getpid() ? DOCA_SUCCESS : start(reader);
	pthread_mutex_unlock(&start_lock);
	return result;
}

/* The lock must be held. */
static doca_error_t load(struct import_reader *reader, uint64_t *value, uint8_t may_block)
{
	const struct timespec deadline = time_in(may_block ? READ_LIMIT_NS : SHORT_READ_LIMIT_NS);

	reader->has_caller = 1;
	reader->is_busy = 1;
	pthread_cond_broadcast(&reader->changed);
	wait_for_idle(reader, 0, &deadline);
	reader->has_caller = 0;
	pthread_cond_broadcast(&reader->changed);
	*value = reader->value;
	return reader->is_busy ? DOCA_ERROR_AGAIN : reader->result;
}

doca_error_t import_reader_load(struct import_reader *reader, const struct sd_import *import, import_reader_read read,
				uint64_t *value, uint8_t may_block)
{
	const struct timespec deadline = time_in(READ_LIMIT_NS);
	doca_error_t result = start_once(reader);
	uint8_t is_free;

	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&reader->lock);
	is_free = !reader->is_busy && !reader->has_caller;
	if (!is_free && may_block && !reader->is_stuck)
		is_free = wait_for_idle(reader, 1, &deadline);
	result = DOCA_ERROR_AGAIN;
	if (is_free) {
		reader->import = *import;
		reader->read = read;
		result = load(reader, value, may_block);
	}
	if (reader->is_busy && may_block)
		mark_stuck(reader);
	pthread_mutex_unlock(&reader->lock);
	return result;
}

uint8_t import_reader_close(struct import_reader *reader, void (*abandoned)(struct import_reader *reader))
{
	const struct timespec deadline = time_in(READ_LIMIT_NS);
	uint8_t is_idle;

	if (reader->owner != getpid())
		return 1;
	pthread_mutex_lock(&reader->lock);
	if (!reader->is_stuck)
		wait_for_idle(reader, 0, &deadline);
	is_idle = !reader->is_busy;
	reader->is_closing = 1;
	if (!is_idle) {
		mark_stuck(reader);
		reader->abandoned = abandoned;
		pthread_detach(reader->thread);
	}
	pthread_cond_broadcast(&reader->changed);
	pthread_mutex_unlock(&reader->lock);
	if (!is_idle)
		return 0;
	sd_thread_join(reader->thread);
	pthread_cond_destroy(&reader->changed);
	pthread_mutex_destroy(&reader->lock);
	return 1;
}
