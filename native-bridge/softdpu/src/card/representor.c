/* Representors: the functions of the host, listed by the DPU function of the same port. */
#include <stdlib.h>

#include "dev.h"
#include "sd_census.h"
#include "sd_shape.h"

struct doca_dev_rep {
	struct doca_devinfo_rep info;
};

static uint8_t is_represented(const struct card_function *function, const struct doca_dev *dev)
{
	return function->side == CARD_SIDE_HOST && function->port == dev->info.function->port;
}

/* Host functions have no representors, and the card has no emulated functions. */
static doca_error_t check_filter(const struct doca_devinfo *devinfo, int filter)
{
	if (filter != DOCA_DEVINFO_REP_FILTER_ALL && filter != DOCA_DEVINFO_REP_FILTER_NET &&
	    filter != DOCA_DEVINFO_REP_FILTER_EMULATED)
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->function->side != CARD_SIDE_DPU || filter == DOCA_DEVINFO_REP_FILTER_EMULATED)
		return DOCA_ERROR_NOT_SUPPORTED;
	return DOCA_SUCCESS;
}

static doca_error_t answer_filter(const struct doca_devinfo *devinfo, int filter, uint8_t *is_supported)
{
	if (devinfo == NULL || is_supported == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*is_supported = check_filter(devinfo, filter) == DOCA_SUCCESS;
	return devinfo->function->side == CARD_SIDE_DPU ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_all_supported)
{
	return answer_filter(devinfo, DOCA_DEVINFO_REP_FILTER_ALL, filter_all_supported);
}

doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_net_supported)
{
	return answer_filter(devinfo, DOCA_DEVINFO_REP_FILTER_NET, filter_net_supported);
}

doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(const struct doca_devinfo *devinfo,
							       uint8_t *filter_emulated_supported)
{
	return answer_filter(devinfo, DOCA_DEVINFO_REP_FILTER_EMULATED, filter_emulated_supported);
}

doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep)
{
	size_t count, i, found = 0;
	const struct card_function *functions = card_functions(&count);
	struct doca_devinfo_rep **list, *infos;
	doca_error_t result;

	if (dev == NULL || dev_list_rep == NULL || nb_devs_rep == NULL || !dev_is_open(dev))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_filter(&dev->info, filter);
	if (result != DOCA_SUCCESS)
		return result;
	list = malloc(count * (sizeof(*list) + sizeof(*infos)));
	if (list == NULL)
		return DOCA_ERROR_NO_MEMORY;
	infos = (struct doca_devinfo_rep *)(list + count);
	for (i = 0; i < count; i++) {
		if (!is_represented(&functions[i], dev))
			continue;
		infos[found].function = &functions[i];
		list[found] = &infos[found];
		found++;
	}
	*dev_list_rep = list;
	*nb_devs_rep = (uint32_t)found;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	if (dev_list_rep == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	free(dev_list_rep);
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep)
{
	struct doca_dev_rep *rep;

	if (devinfo == NULL || dev_rep == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	rep = malloc(sizeof(*rep));
	if (rep == NULL)
		return DOCA_ERROR_NO_MEMORY;
	rep->info = *devinfo;
	sd_census_add(SD_CENSUS_REPRESENTORS, 1);
	*dev_rep = rep;
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	if (dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	free(dev);
	sd_census_add(SD_CENSUS_REPRESENTORS, -1);
	return DOCA_SUCCESS;
}

SD_PART(doca_dev_rep_as_devinfo, struct doca_dev_rep, struct doca_devinfo_rep, info)
DEVINFO_PCI_ADDR(doca_devinfo_rep, doca_devinfo_rep, DOCA_DEVINFO_REP_PCI_ADDR_SIZE)
SD_GETTER(doca_devinfo_rep_get_pci_func_type, const struct doca_devinfo_rep, enum doca_pci_func_type, object->function->type)
SD_GETTER(doca_devinfo_rep_get_is_hotplug, const struct doca_devinfo_rep, uint8_t, 0)
DEVINFO_STRING(doca_devinfo_rep_get_vuid, doca_devinfo_rep, vuid, DOCA_DEVINFO_REP_VUID_SIZE)
SD_GETTER(doca_devinfo_rep_get_vhca_id, const struct doca_devinfo_rep, uint16_t, object->function->vhca_id)
DEVINFO_STRING(doca_devinfo_rep_get_iface_name, doca_devinfo_rep, rep_iface_name, DOCA_DEVINFO_IFACE_NAME_SIZE)
