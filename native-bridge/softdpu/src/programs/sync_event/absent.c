/* Public functions for other processors and other machines, which the software DPU does not have. */
#include "sd_log.h"
#include "sd_sync_event.h"

static doca_error_t refuse(const char *what)
{
	SD_LOG_INFO("%s: the software DPU has nothing of the kind", what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event, const uint8_t **data, size_t *sz)
{
	if (event == NULL || data == NULL || sz == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event is exported to another machine, for tasks of RDMA");
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

doca_error_t doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
							   struct doca_sync_event_remote_net **event)
{
	if (dev == NULL || data == NULL || sz == 0 || event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event of another machine, for tasks of RDMA");
}

doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	return event == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("a sync event of another machine");
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
						       doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	if (event == NULL || dpa == NULL || dpa_remote_event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event of another machine");
}

doca_error_t doca_sync_event_remote_net_get_gpu_handle(struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
						       doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
	if (event == NULL || gpu == NULL || gpu_remote_event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse("a sync event of another machine");
}
