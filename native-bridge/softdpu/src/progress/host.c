/* End of a host: the links of its contexts end at once. The contexts fail in the next progress of their engines. */
#include "sd_engine.h"
#include "sd_log.h"
#include "sd_registry.h"

doca_error_t sd_engine_kill_host(uint32_t host)
{
	doca_error_t result = sd_engine_mark_killed(host);

	if (result != DOCA_SUCCESS)
		return result;
	SD_LOG_INFO("host %u is killed", host);
	for (struct doca_ctx *ctx = sd_registry_next_of_host(NULL, host); ctx != NULL; ctx = sd_registry_next_of_host(ctx, host)) {
		if (ctx->ops->die != NULL)
			ctx->ops->die(ctx);
		sd_context_post_failure(ctx);
	}
	return DOCA_SUCCESS;
}
