#include "card.h"

#include <stddef.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_compress.h>

#include "report.h"

bool card_serves(const struct doca_devinfo *info)
{
	return doca_comch_cap_server_is_supported(info) == DOCA_SUCCESS;
}

bool card_connects(const struct doca_devinfo *info)
{
	return doca_comch_cap_client_is_supported(info) == DOCA_SUCCESS;
}

static bool has_address(const struct doca_devinfo *info, const char *address)
{
	uint8_t is_equal = 0;

	return address == NULL ||
	       (report(doca_devinfo_is_equal_pci_addr(info, address, &is_equal), "doca_devinfo_is_equal_pci_addr", "%s", address) &&
		is_equal);
}

struct doca_dev *card_open(const char *address, card_suits_t *suits, const char *wanted)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	bool found = false;
	uint32_t count, i;

	if (!report(doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list", "%s", wanted))
		return NULL;
	for (i = 0; i < count && !found; i++) {
		found = has_address(list[i], address) && suits(list[i]);
		if (found)
			report(doca_dev_open(list[i], &dev), "doca_dev_open", "%s", wanted);
	}
	report(doca_devinfo_destroy_list(list), "doca_devinfo_destroy_list", "%s", wanted);
	if (!found && address != NULL)
		report(DOCA_ERROR_NOT_FOUND, "doca_dev_open", "%s at %s", wanted, address);
	else if (!found)
		report(DOCA_ERROR_NOT_FOUND, "doca_dev_open", "%s: none of %u devices here is one", wanted, count);
	return dev;
}

bool card_deflates_bytes(const struct doca_dev *dev, uint64_t len)
{
	uint64_t limit = 0;

	return report(doca_compress_cap_task_compress_deflate_get_max_buf_size(doca_dev_as_devinfo(dev), &limit),
		      "doca_compress_cap_task_compress_deflate_get_max_buf_size", "device") &&
	       (len <= limit || report_fault("the device deflates at most %llu bytes", (unsigned long long)limit));
}

struct doca_dev_rep *card_open_representor(struct doca_dev *dev, const char *address)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	const char *wanted = address != NULL ? address : "of any host function";
	uint8_t is_equal;
	uint32_t count, i;

	if (!report(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count), "doca_devinfo_rep_create_list",
		    "representor %s", wanted))
		return NULL;
	for (i = 0; i < count && rep == NULL; i++) {
		is_equal = address == NULL;
		if (address != NULL && !report(doca_devinfo_rep_is_equal_pci_addr(list[i], address, &is_equal),
					       "doca_devinfo_rep_is_equal_pci_addr", "%s", address))
			break;
		if (is_equal && !report(doca_dev_rep_open(list[i], &rep), "doca_dev_rep_open", "representor %s", wanted))
			break;
	}
	report(doca_devinfo_rep_destroy_list(list), "doca_devinfo_rep_destroy_list", "representor %s", wanted);
	if (rep == NULL)
		report(DOCA_ERROR_NOT_FOUND, "doca_dev_rep_open", "representor %s", wanted);
	return rep;
}

bool card_close(struct doca_dev *dev)
{
	return dev == NULL || report(doca_dev_close(dev), "doca_dev_close", "device");
}

bool card_close_representor(struct doca_dev_rep *rep)
{
	return rep == NULL || report(doca_dev_rep_close(rep), "doca_dev_rep_close", "representor");
}
