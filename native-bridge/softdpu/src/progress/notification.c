/*
 * Notifications of an engine. fd is readable from the first event after an arm until it is cleared:
 *
 *   QUIET --request--> ARMED --first event--> SIGNALLING: write fd --> QUIET --clear: read fd--> ...
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "sd_engine.h"
#include "sd_late.h"
#include "sd_shape.h"

SD_GETTER(doca_pe_get_notification_handle, const struct doca_pe, doca_notification_handle_t, object->fd)

static doca_error_t drain(struct doca_pe *pe)
{
	uint64_t wakeups;

	while (read(pe->fd, &wakeups, sizeof(wakeups)) < 0) {
		if (errno == EAGAIN)
			return DOCA_SUCCESS; /* was not readable */
		if (errno != EINTR)
			return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return DOCA_SUCCESS;
}

/* Waits for the end of SIGNALLING, which lasts for one write of another thread, and sets next. */
static void set_notification(struct doca_pe *pe, uint8_t next)
{
	uint8_t state = atomic_load(&pe->notification);

	while (state == SD_ENGINE_SIGNALLING || !atomic_compare_exchange_strong(&pe->notification, &state, next)) {
		sched_yield();
		state = atomic_load(&pe->notification);
	}
}

doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	if (pe == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (pe->event_mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL) {
		doca_error_t result = drain(pe);

		if (result != DOCA_SUCCESS)
			return result;
	}
	set_notification(pe, SD_ENGINE_ARMED);
	sd_engine_rest(pe); /* the engine is armed: from now on, events that other threads find signal at once */
	/* Work that became ready since the last progress found no armed engine: signal it now. */
	if (sd_engine_has_work(pe) || sd_late_has_work(pe))
		sd_engine_wake(pe);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle)
{
	(void)handle; /* an engine has only one handle */
	if (pe == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	set_notification(pe, SD_ENGINE_QUIET); /* no thread writes from here on, so fd stays unreadable */
	return drain(pe);
}

doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode)
{
	if (pe == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (event_mode != DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE && event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL)
		return DOCA_ERROR_INVALID_VALUE;
	pe->event_mode = event_mode;
	return DOCA_SUCCESS;
}
