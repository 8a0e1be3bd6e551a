/*
 * Sync events of RDMA peers. Only RDMA tasks access them.
 *
 * Thread: the functions run on hardware threads, except for hold and release, which any thread may call.
 */
#ifndef SD_REMOTE_EVENT_H
#define SD_REMOTE_EVENT_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"

struct doca_dev;
struct number_change;
struct sd_import;

struct doca_sync_event_remote_net {
	struct doca_dev *dev;			/**< held */
	struct sd_import *import;
	_Atomic uint32_t num_tasks;		/**< tasks in flight that use the event */
};

/** Prevents the destruction of the event, until release. */
void sd_remote_event_hold(struct doca_sync_event_remote_net *event);
void sd_remote_event_release(struct doca_sync_event_remote_net *event);
/** Reads the value. via: key of the exporter's connection. IO_FAILED: the exporter has destroyed the event, or ended. */
doca_error_t sd_remote_event_load(struct doca_sync_event_remote_net *event, uint64_t via, uint64_t *value);
/** Changes the value; *before receives the previous one. via and IO_FAILED as above. */
doca_error_t sd_remote_event_apply(struct doca_sync_event_remote_net *event, uint64_t via, const struct number_change *change,
				   uint64_t *before);
/** Returns the process that exported the event, as sd_latch_exporter(). Any thread. */
pid_t sd_remote_event_exporter(const struct doca_sync_event_remote_net *event);
/** Returns true if an access would wait for a stuck exporter. Any thread. */
uint8_t sd_remote_event_is_held_up(const struct doca_sync_event_remote_net *event);

#endif
