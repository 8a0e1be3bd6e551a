/* Public functions: the context of memory advice. */
#include <stdlib.h>

#include "sd_calls.h"
#include "sd_fault.h"
#include "sd_mmap_advise.h"
#include "sd_shape.h"

static const struct sd_context_ops mmap_advise_ops = {
	.name = "mmap-advise",
};

doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise)
{
	struct doca_mmap_advise *created;
	doca_error_t result;

	if (dev == NULL || mmap_advise == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	sd_context_init(&created->ctx, &mmap_advise_ops, dev);
	*mmap_advise = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, mmap_advise))
		return DOCA_ERROR_BAD_STATE;
	if (mmap_advise == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_fini(&mmap_advise->ctx);
	if (result == DOCA_SUCCESS)
		free(mmap_advise);
	return result;
}

SD_PART(doca_mmap_advise_as_ctx, struct doca_mmap_advise, struct doca_ctx, ctx)
