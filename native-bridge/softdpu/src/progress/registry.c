#include "sd_registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "doca_dev.h"
#include "sd_engine.h"

static pthread_mutex_t started_lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_ctx *started;

void sd_registry_add(struct doca_ctx *ctx)
{
	pthread_mutex_lock(&started_lock);
	ctx->started_prev = NULL;
	ctx->started_next = started;
	if (started != NULL)
		started->started_prev = ctx;
	started = ctx;
	pthread_mutex_unlock(&started_lock);
}

uint8_t sd_registry_remove_quiet(struct doca_ctx *ctx)
{
	uint8_t is_quiet;

	pthread_mutex_lock(&started_lock);
	is_quiet = atomic_load(&ctx->num_posted) == 0;
	if (is_quiet) {
		if (ctx->started_prev != NULL)
			ctx->started_prev->started_next = ctx->started_next;
		else
			started = ctx->started_next;
		if (ctx->started_next != NULL)
			ctx->started_next->started_prev = ctx->started_prev;
	}
	pthread_mutex_unlock(&started_lock);
	return is_quiet;
}

/* Two opens of one PCI function are the same device. */
static uint8_t is_same_device(const struct doca_dev *one, const struct doca_dev *other)
{
	char address[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint8_t is_equal = 0;

	if (one == other)
		return 1;
	if (one == NULL || other == NULL)
		return 0;
	return doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(one), address) == DOCA_SUCCESS &&
	       doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(other), address, &is_equal) == DOCA_SUCCESS && is_equal;
}

void sd_registry_visit_same_device(struct doca_ctx *ctx, void (*visit)(struct doca_ctx *))
{
	pthread_mutex_lock(&started_lock);
	for (struct doca_ctx *other = started; other != NULL; other = other->started_next) {
		if (is_same_device(ctx->dev, other->dev))
			visit(other);
	}
	pthread_mutex_unlock(&started_lock);
}

struct doca_ctx *sd_registry_next_of_host(const struct doca_ctx *ctx, uint32_t host)
{
	struct doca_ctx *next;

	pthread_mutex_lock(&started_lock);
	next = ctx == NULL ? started : ctx->started_next;
	while (next != NULL && next->pe->host != host)
		next = next->started_next;
	pthread_mutex_unlock(&started_lock);
	return next;
}
