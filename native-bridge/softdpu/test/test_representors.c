/* A DPU device lists the host functions of its port, by filter; a host device has no representors. */
#include <string.h>

#include "objects.h"

static void test_properties(struct doca_devinfo_rep *info, const char *expected_pci, enum doca_pci_func_type expected_type)
{
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE], vuid[DOCA_DEVINFO_REP_VUID_SIZE], iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	enum doca_pci_func_type type;
	uint16_t vhca_id;
	uint8_t answer;

	CHECK_OK(doca_devinfo_rep_get_pci_addr_str(info, pci));
	CHECK(strcmp(pci, expected_pci) == 0);
	CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(info, expected_pci + 5, &answer));
	CHECK(answer);
	CHECK_ERROR(doca_devinfo_rep_is_equal_pci_addr(info, "81", &answer), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_devinfo_rep_get_pci_func_type(info, &type));
	CHECK_EQ(type, expected_type);
	CHECK_OK(doca_devinfo_rep_get_is_hotplug(info, &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_devinfo_rep_get_vuid(info, vuid, sizeof(vuid)));
	CHECK(strlen(vuid) > 0);
	CHECK_ERROR(doca_devinfo_rep_get_vuid(info, vuid, sizeof(vuid) - 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_devinfo_rep_get_vhca_id(info, &vhca_id));
	CHECK(vhca_id >= 2);
	CHECK_OK(doca_devinfo_rep_get_iface_name(info, iface, sizeof(iface)));
	CHECK(strncmp(iface, "pf", 2) == 0);
	CHECK_ERROR(doca_devinfo_rep_get_iface_name(info, iface, 255), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_rep_get_pci_addr_str(NULL, pci), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_rep_get_vuid(NULL, vuid, sizeof(vuid)), DOCA_ERROR_INVALID_VALUE);
}

static void test_dpu_device(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t count;
	uint8_t answer;

	CHECK_OK(doca_devinfo_rep_cap_is_filter_all_supported(info, &answer));
	CHECK_EQ(answer, 1);
	CHECK_OK(doca_devinfo_rep_cap_is_filter_net_supported(info, &answer));
	CHECK_EQ(answer, 1);
	CHECK_OK(doca_devinfo_rep_cap_is_filter_emulated_supported(info, &answer));
	CHECK_EQ(answer, 0);
	CHECK_ERROR(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_EMULATED, &list, &count),
		    DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_devinfo_rep_create_list(dev, 1, &list, &count), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_rep_create_list(NULL, 0, &list, &count), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_rep_create_list(dev, 0, NULL, &count), DOCA_ERROR_INVALID_VALUE);

	CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &count));
	CHECK_EQ(count, 3);
	CHECK_OK(doca_devinfo_rep_destroy_list(list));
	CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count));
	CHECK_EQ(count, 3);
	test_properties(list[0], "0000:81:00.0", DOCA_PCI_FUNC_TYPE_PF);
	test_properties(list[1], "0000:81:00.2", DOCA_PCI_FUNC_TYPE_VF);
	test_properties(list[2], "0000:81:00.3", DOCA_PCI_FUNC_TYPE_VF);

	/* An opened representor outlives the list and the device. */
	CHECK_OK(doca_dev_rep_open(list[1], &rep));
	CHECK_OK(doca_devinfo_rep_destroy_list(list));
	CHECK_OK(doca_dev_close(dev));
	test_properties(doca_dev_rep_as_devinfo(rep), "0000:81:00.2", DOCA_PCI_FUNC_TYPE_VF);
	CHECK_OK(doca_dev_rep_close(rep));
	CHECK_ERROR(doca_dev_rep_close(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dev_rep_open(NULL, &rep), DOCA_ERROR_INVALID_VALUE);
	CHECK(doca_dev_rep_as_devinfo(NULL) == NULL);
}

static void test_second_port(void)
{
	struct doca_dev *dev = open_device("03:00.1");
	struct doca_devinfo_rep **list;
	uint32_t count;

	CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count));
	CHECK_EQ(count, 1);
	test_properties(list[0], "0000:81:00.1", DOCA_PCI_FUNC_TYPE_PF);
	CHECK_OK(doca_devinfo_rep_destroy_list(list));
	CHECK_ERROR(doca_devinfo_rep_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dev_close(dev));
}

static void test_host_device(void)
{
	struct doca_dev *dev = open_device("81:00.0");
	struct doca_devinfo_rep **list;
	uint32_t count;
	uint8_t answer = 7;

	CHECK_ERROR(doca_devinfo_rep_cap_is_filter_all_supported(doca_dev_as_devinfo(dev), &answer),
		    DOCA_ERROR_NOT_SUPPORTED);
	CHECK_EQ(answer, 0);
	CHECK_ERROR(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &count),
		    DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_dev_close(dev));
}

int main(void)
{
	test_dpu_device();
	test_second_port();
	test_host_device();
	check_census_empty();
	return 0;
}
