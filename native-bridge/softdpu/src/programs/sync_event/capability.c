/* Public functions for the capabilities of devices, which are the same on all cards. Thread: any. */
#include "doca_sync_event.h"
#include "sd_shape.h"

/* Both sides export and import: programs for either side query this capability. */
SD_PRESENT(doca_sync_event_cap_is_create_from_export_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_is_export_to_remote_pci_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_is_export_to_remote_net_supported, const struct doca_devinfo)
SD_ABSENT(doca_sync_event_cap_is_export_to_dpa_supported, const struct doca_devinfo)
SD_ABSENT(doca_sync_event_cap_is_export_to_gpu_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_remote_net_is_create_from_export_supported, const struct doca_devinfo)
SD_ABSENT(doca_sync_event_cap_remote_net_is_export_to_dpa_supported, const struct doca_devinfo)
SD_ABSENT(doca_sync_event_cap_remote_net_is_export_to_gpu_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_task_get_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_task_notify_set_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_task_notify_add_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_task_wait_eq_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_sync_event_cap_task_wait_neq_is_supported, const struct doca_devinfo)
