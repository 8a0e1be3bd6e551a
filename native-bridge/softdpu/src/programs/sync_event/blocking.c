/* Public functions that read, change and wait without tasks. Thread: any, while the event is started. */
#include <sched.h>

#include "sd_sync_event.h"

enum comparison { EQUAL, DIFFERENT, GREATER };

static doca_error_t check_started(const struct doca_sync_event *event)
{
	return event->life == SYNC_EVENT_BLOCKING ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
	doca_error_t result;

	if (event == NULL || value == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(event);
	return result == DOCA_SUCCESS ? sync_event_load(event, value) : result;
}

doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched)
{
	doca_error_t result;

	if (event == NULL || fetched == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(event);
	return result == DOCA_SUCCESS ? sync_event_add(event, value, fetched) : result;
}

doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value)
{
	doca_error_t result;
	uint64_t before;

	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(event);
	return result == DOCA_SUCCESS ? sync_event_set(event, value, &before) : result;
}

static uint8_t holds(uint64_t number, enum comparison comparison, uint64_t value)
{
	switch (comparison) {
	case EQUAL:
		return number == value;
	case DIFFERENT:
		return number != value;
	default:
		return number > value;
	}
}

static doca_error_t wait_for(struct doca_sync_event *event, enum comparison comparison, uint64_t value, uint64_t mask,
			     uint8_t lets_others_run)
{
	doca_error_t result;
	uint64_t number;

	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(event);
	if (result != DOCA_SUCCESS)
		return result;
	while ((result = sync_event_load(event, &number)) == DOCA_SUCCESS) {
		if (holds(number & mask, comparison, value))
			return DOCA_SUCCESS;
		if (lets_others_run)
			sched_yield();
	}
	/* The exporter may have set the number just before it destroyed the event. */
	if (sync_event_load_last(event, &number) == DOCA_SUCCESS && holds(number & mask, comparison, value))
		return DOCA_SUCCESS;
	return result;
}

/* Defines the two functions for one comparison: one busy, one that lets other threads run. */
#define WAIT(name, comparison)                                                                               \
	doca_error_t doca_sync_event_wait_##name(struct doca_sync_event *event, uint64_t value, uint64_t mask) \
	{                                                                                                    \
		return wait_for(event, comparison, value, mask, 0);                                          \
	}                                                                                                    \
	doca_error_t doca_sync_event_wait_##name##_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask) \
	{                                                                                                    \
		return wait_for(event, comparison, value, mask, 1);                                          \
	}

WAIT(eq, EQUAL)
WAIT(neq, DIFFERENT)
WAIT(gt, GREATER)
