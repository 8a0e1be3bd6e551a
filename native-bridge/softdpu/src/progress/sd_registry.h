/*
 * All started contexts of the process, for events that concern many of them: a lost device, the end of a host.
 *
 * Thread: any; one lock. A context leaves the registry before it becomes IDLE, so registered contexts exist.
 */
#ifndef SD_REGISTRY_H
#define SD_REGISTRY_H

#include <stdint.h>

struct doca_ctx;

void sd_registry_add(struct doca_ctx *ctx);

/**
 * Removes a context if no posted event waits for it; returns 0 if one does. Afterwards the registry posts no more events to it.
 */
uint8_t sd_registry_remove_quiet(struct doca_ctx *ctx);

/** Calls visit for every started context that uses the same device as ctx. visit may only post events. */
void sd_registry_visit_same_device(struct doca_ctx *ctx, void (*visit)(struct doca_ctx *));

/** Returns the next started context of a host after ctx, or the first one if ctx is NULL. NULL: none. Thread: the host's. */
struct doca_ctx *sd_registry_next_of_host(const struct doca_ctx *ctx, uint32_t host);

#endif
