#include "doca_pe.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sd_calls.h"
#include "sd_census.h"
#include "sd_engine.h"
#include "sd_fault.h"
#include "sd_host.h"
#include "sd_late.h"
#include "sd_log.h"
#include "sd_shape.h"

enum { MAX_SILENT_EVENTS = 64 };

static pthread_mutex_t engines_lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_pe *engines;

static void list_engine(struct doca_pe *pe)
{
	pthread_mutex_lock(&engines_lock);
	pe->all_next = engines;
	if (engines != NULL)
		engines->all_prev = pe;
	engines = pe;
	pthread_mutex_unlock(&engines_lock);
}

static void unlist_engine(struct doca_pe *pe)
{
	pthread_mutex_lock(&engines_lock);
	if (pe->all_prev != NULL)
		pe->all_prev->all_next = pe->all_next;
	else
		engines = pe->all_next;
	if (pe->all_next != NULL)
		pe->all_next->all_prev = pe->all_prev;
	pthread_mutex_unlock(&engines_lock);
}

void sd_engine_wake_all(void)
{
	pthread_mutex_lock(&engines_lock);
	for (struct doca_pe *pe = engines; pe != NULL; pe = pe->all_next)
		sd_engine_wake(pe);
	pthread_mutex_unlock(&engines_lock);
}

uint64_t sd_engine_next_due(void)
{
	uint64_t next = UINT64_MAX;

	pthread_mutex_lock(&engines_lock);
	for (struct doca_pe *pe = engines; pe != NULL; pe = pe->all_next) {
		uint64_t task, poll, late;

		if (pe->is_killed)
			continue;
		task = sd_device_next_due(pe);
		poll = sd_engine_next_poll(pe);
		late = sd_late_next_due(pe);
		next = task < next ? task : next;
		next = poll < next ? poll : next;
		next = late < next ? late : next;
	}
	pthread_mutex_unlock(&engines_lock);
	return next;
}

/* The engines' lock must be held. */
static doca_error_t may_kill(uint32_t host)
{
	doca_error_t result = DOCA_ERROR_NOT_FOUND;

	for (const struct doca_pe *pe = engines; pe != NULL; pe = pe->all_next) {
		if (pe->host != host)
			continue;
		if (pe->callback_depth > 0)
			return DOCA_ERROR_BAD_STATE;
		result = DOCA_SUCCESS;
	}
	return result;
}

doca_error_t sd_engine_mark_killed(uint32_t host)
{
	doca_error_t result;

	pthread_mutex_lock(&engines_lock);
	result = may_kill(host);
	for (struct doca_pe *pe = engines; pe != NULL && result == DOCA_SUCCESS; pe = pe->all_next) {
		if (pe->host == host)
			pe->is_killed = 1;
	}
	pthread_mutex_unlock(&engines_lock);
	return result;
}

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct doca_pe *created;
	doca_error_t result;

	if (pe == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-engine", sizeof(*created), &result);
	if (created == NULL)
		return result;
	created->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (created->fd < 0) {
		SD_LOG_ERROR("cannot create a progress engine: eventfd: %s", strerror(errno));
		free(created);
		return DOCA_ERROR_NO_MEMORY;
	}
	created->host = sd_host_current();
	sd_sources_init(&created->sources);
	list_engine(created);
	sd_census_add(SD_CENSUS_ENGINES, 1);
	sd_calls_created("pe", created);
	*pe = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (sd_calls_refuse(__func__, pe))
		return DOCA_ERROR_BAD_STATE;
	if (pe == NULL || ctx == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	if (ctx->pe != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	ctx->pe = pe;
	sd_calls_moved(ctx, pe->host);
	pe->num_contexts++;
	return DOCA_SUCCESS;
}

/* Runs one event. Afterwards the event must not be used, and neither must an IDLE context. */
static uint8_t run_event(struct doca_pe *pe, struct sd_event *event)
{
	struct doca_ctx *ctx = event == &event->ctx->idle_event ? NULL : event->ctx;
	uint8_t is_noticeable;

	pe->callback_depth++;
	is_noticeable = event->run(event);
	pe->callback_depth--;
	if (ctx != NULL)
		sd_context_check_idle(ctx);
	return is_noticeable;
}

static uint8_t progress(struct doca_pe *pe)
{
	pe->is_killed = 0;
	for (int i = 0; i < MAX_SILENT_EVENTS; i++) {
		struct sd_event *event;

		if (sd_late_report(pe))
			return 1;
		event = sd_engine_next(pe);
		if (event == NULL)
			return 0;
		if (run_event(pe, event))
			return 1;
	}
	return 0;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	if (pe == NULL || sd_calls_refuse(__func__, pe))
		return 0;
	if (pe->callback_depth > 0) {
		SD_LOG_ERROR("doca_pe_progress() was called from a callback of the same engine: refused");
		return 0;
	}
	return progress(pe);
}

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
	if (sd_calls_refuse(__func__, pe))
		return DOCA_ERROR_BAD_STATE;
	if (pe == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (pe->num_contexts > 0 || pe->callback_depth > 0)
		return DOCA_ERROR_IN_USE;
	while (sd_engine_has_work(pe))
		progress(pe); /* ends contexts that were destroyed from their own callback */
	sd_calls_destroyed(pe);
	unlist_engine(pe);
	while (atomic_load(&pe->num_posters) > 0)
		sched_yield(); /* a hardware thread executes its last few instructions in sd_engine_post() */
	sd_sources_fini(&pe->sources);
	close(pe->fd);
	free(pe);
	sd_census_add(SD_CENSUS_ENGINES, -1);
	return DOCA_SUCCESS;
}

SD_GETTER(doca_pe_get_num_inflight_tasks, const struct doca_pe, size_t, object->num_inflight)
