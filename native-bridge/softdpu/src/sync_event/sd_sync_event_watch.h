/* Notification of events by the rest of the library. */
#ifndef SD_SYNC_EVENT_WATCH_H
#define SD_SYNC_EVENT_WATCH_H

/**
 * Reports that the value of an event has changed and wakes programs that wait for it soon. Without such programs it costs an
 * atomic load. Thread: any.
 */
void sd_sync_event_changed(void);

#endif
