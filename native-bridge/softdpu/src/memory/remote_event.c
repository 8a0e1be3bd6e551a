#include "sd_remote_event.h"

#include "import.h"

void sd_remote_event_hold(struct doca_sync_event_remote_net *event)
{
	atomic_fetch_add(&event->num_tasks, 1);
}

void sd_remote_event_release(struct doca_sync_event_remote_net *event)
{
	atomic_fetch_sub(&event->num_tasks, 1);
}

doca_error_t sd_remote_event_load(struct doca_sync_event_remote_net *event, uint64_t via, uint64_t *value)
{
	return import_load(event->import, via, value);
}

doca_error_t sd_remote_event_apply(struct doca_sync_event_remote_net *event, uint64_t via, const struct number_change *change,
				   uint64_t *before)
{
	return import_change(event->import, via, event->import->addr, change, before);
}

pid_t sd_remote_event_exporter(const struct doca_sync_event_remote_net *event)
{
	return import_exporter(event->import);
}

uint8_t sd_remote_event_is_held_up(const struct doca_sync_event_remote_net *event)
{
	return import_is_held_up(event->import);
}
