/*
 * All started contexts of the process, for what concerns many of them at once: a device that goes away.
 *
 * Thread: any; one lock. A context in the registry is alive: it leaves before it becomes IDLE.
 */
#ifndef SD_REGISTRY_H
#define SD_REGISTRY_H

#include <stdint.h>

struct doca_ctx;

void sd_registry_add(struct doca_ctx *ctx);

/** Take a context out if no posted event waits for it; 0 when one does. Afterwards none can be posted through the registry. */
uint8_t sd_registry_remove_quiet(struct doca_ctx *ctx);

/** Call visit for every started context that uses the same device as this one. visit may post events, nothing else. */
void sd_registry_visit_same_device(struct doca_ctx *ctx, void (*visit)(struct doca_ctx *));

#endif
