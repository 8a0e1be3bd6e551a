/* What the rest of the library tells events. */
#ifndef SD_SYNC_EVENT_WATCH_H
#define SD_SYNC_EVENT_WATCH_H

/** Any thread: the number of an event has changed; who sleeps until it does is woken soon. Without one it costs an atomic load. */
void sd_sync_event_changed(void);

#endif
