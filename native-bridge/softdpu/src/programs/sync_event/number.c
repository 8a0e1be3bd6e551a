/* Access to the value of an event. Thread: any. */
#include "number.h"

#include "import.h"
#include "sd_sync_event.h"

doca_error_t sync_event_load(struct doca_sync_event *event, uint64_t *value)
{
	if (event->import != NULL)
		return import_load(event->import, 0, value);
	*value = number_load(event->number);
	return DOCA_SUCCESS;
}

doca_error_t sync_event_peek(struct doca_sync_event *event, uint64_t *value)
{
	doca_error_t result = event->import == NULL ? DOCA_ERROR_NOT_PERMITTED : import_peek(event->import, value);

	return result == DOCA_ERROR_NOT_PERMITTED ? sync_event_load(event, value) : result;
}

doca_error_t sync_event_load_last(struct doca_sync_event *event, uint64_t *value)
{
	return event->import != NULL ? import_load_last(event->import, value) : DOCA_ERROR_IO_FAILED;
}

static doca_error_t change(struct doca_sync_event *event, enum number_verb verb, uint64_t operand, uint64_t *before)
{
	const struct number_change change = { .verb = verb, .operand = operand };

	if (event->import != NULL)
		return import_change(event->import, 0, event->import->addr, &change, before);
	*before = number_apply(event->number, &change);
	number_changed();
	return DOCA_SUCCESS;
}

doca_error_t sync_event_set(struct doca_sync_event *event, uint64_t value, uint64_t *before)
{
	return change(event, NUMBER_SET, value, before);
}

doca_error_t sync_event_add(struct doca_sync_event *event, uint64_t value, uint64_t *before)
{
	return change(event, NUMBER_ADD, value, before);
}
