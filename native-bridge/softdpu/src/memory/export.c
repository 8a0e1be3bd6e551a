/* Opens and closes exports. */
#include "export.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "export_desc.h"
#include "export_service.h"
#include "export_table.h"
#include "sd_host.h"
#include "sd_log.h"
#include "sd_service.h"

enum { ACCESS_LIMIT_NS = 1000000000 };

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;	/* guards num_open; held while the service opens or closes */
static uint32_t num_open;

static void before_fork(void)
{
	pthread_mutex_lock(&life_lock);
	export_service_hold();
	export_table_hold();
}

static void after_fork(void)
{
	export_table_release();
	export_service_release();
	pthread_mutex_unlock(&life_lock);
}

/* A forked child can export and import, also when another thread of its parent is doing so during the fork. */
__attribute__((constructor)) static void prepare_for_fork(void)
{
	sd_service_prepare_for_fork();
	pthread_atfork(before_fork, after_fork, after_fork);
}

/* The life lock must be held. */
static doca_error_t open_first(void)
{
	uint8_t is_new;
	doca_error_t result = export_table_prepare(&is_new);

	if (is_new)
		num_open = 0;
	if (result == DOCA_SUCCESS && num_open == 0)
		result = export_service_open(export_identity());
	if (result == DOCA_SUCCESS)
		num_open++;
	return result;
}

/* The life lock must be held. */
static void close_last(void)
{
	if (--num_open == 0)
		export_service_close();
}

doca_error_t export_open(const struct export_range *range, struct export **export)
{
	struct export *e = calloc(1, sizeof(*e));
	doca_error_t result;

	if (e == NULL)
		return DOCA_ERROR_NO_MEMORY;
	e->addr = (uintptr_t)range->addr;
	e->len = range->len;
	e->permissions = range->permissions;
	e->is_number = range->is_number;
	e->host = sd_host_current();
	pthread_mutex_lock(&life_lock);
	result = open_first();
	if (result == DOCA_SUCCESS) {
		result = export_table_enter(e);
		if (result != DOCA_SUCCESS)
			close_last();
	}
	pthread_mutex_unlock(&life_lock);
	if (result == DOCA_SUCCESS)
		*export = e;
	else
		free(e);
	return result;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The export is void. Waits for the accesses that began before. */
static doca_error_t wait_for_accesses(const struct export *export)
{
	uint64_t deadline = now() + ACCESS_LIMIT_NS;

	while (export_table_is_accessed(export)) {
		if (now() > deadline) {
			SD_LOG_WARNING("cannot withdraw exported memory: another process has been accessing it for a second (try again)");
			return DOCA_ERROR_IN_USE;
		}
		sched_yield();
	}
	return DOCA_SUCCESS;
}

static doca_error_t withdraw(struct export *export)
{
	doca_error_t result;

	export_table_void(export);
	result = wait_for_accesses(export);
	if (result != DOCA_SUCCESS)
		return result;
	export_table_leave(export);
	pthread_mutex_lock(&life_lock);
	close_last();
	pthread_mutex_unlock(&life_lock);
	return DOCA_SUCCESS;
}

doca_error_t export_close(struct export *export)
{
	doca_error_t result = export->owner == getpid() ? withdraw(export) : DOCA_SUCCESS;

	if (result != DOCA_SUCCESS)
		return result;
	while (export->notes != NULL) {
		struct export_note *note = export->notes;

		export->notes = note->next;
		free(note);
	}
	free(export);
	return DOCA_SUCCESS;
}

const void *export_describe(struct export *export, const struct doca_dev *dev, const struct export_desc_type *type)
{
	struct export_note *note = export->notes;

	while (note != NULL && (note->dev != dev || note->type != type))
		note = note->next;
	if (note != NULL)
		return note->desc;
	note = malloc(sizeof(*note) + type->len);
	if (note == NULL)
		return NULL;
	note->dev = dev;
	note->type = type;
	type->describe(note->desc, export, dev);
	note->next = export->notes;
	export->notes = note;
	return note->desc;
}
