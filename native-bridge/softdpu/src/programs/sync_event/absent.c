/* Public functions for other processors, which the software DPU does not have. */
#include "sd_log.h"
#include "sd_sync_event.h"

static doca_error_t refuse(const char *what)
{
	SD_LOG_INFO("%s: the software DPU has nothing of the kind", what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
					    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
	if (event == NULL || dpa == NULL || dpa_dev_se_handle == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event's handle for the DPA");
}

doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event, struct doca_gpu *gpu,
					    doca_gpu_dev_sync_event_t **gpu_dev_se)
{
	if (event == NULL || gpu == NULL || gpu_dev_se == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event's handle for a GPU");
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
						       doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	if (event == NULL || dpa == NULL || dpa_remote_event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a handle of a remote sync event");
}

doca_error_t doca_sync_event_remote_net_get_gpu_handle(struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
						       doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
	if (event == NULL || gpu == NULL || gpu_remote_event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a handle of a remote sync event");
}
