/* Each device reports its properties; every query validates its arguments and the sizes of the program's buffers. */
#include <string.h>

#include "objects.h"

static void test_strings(const struct doca_devinfo *info, const char *expected_pci)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE], ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE], iface[DOCA_DEVINFO_IFACE_NAME_SIZE];

	CHECK_OK(doca_devinfo_get_pci_addr_str(info, pci));
	CHECK(strcmp(pci, expected_pci) == 0);
	CHECK_OK(doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)));
	CHECK(strncmp(ibdev, "mlx5_", 5) == 0);
	CHECK_OK(doca_devinfo_get_iface_name(info, iface, sizeof(iface)));
	CHECK(strlen(iface) > 0);
	CHECK_ERROR(doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev) - 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_iface_name(info, iface, sizeof(iface) - 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_iface_name(info, NULL, sizeof(iface)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_ibdev_name(NULL, ibdev, sizeof(ibdev)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_pci_addr_str(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_pci_addr_str(NULL, pci), DOCA_ERROR_INVALID_VALUE);
}

static uint8_t is_equal(const struct doca_devinfo *info, const char *text)
{
	uint8_t equal = 7;

	CHECK_OK(doca_devinfo_is_equal_pci_addr(info, text, &equal));
	CHECK(equal <= 1);
	return equal;
}

static void test_pci_comparison(const struct doca_devinfo *info) /* 0000:03:00.0 */
{
	uint8_t equal;

	CHECK(is_equal(info, "0000:03:00.0"));
	CHECK(is_equal(info, "03:00.0"));
	CHECK(!is_equal(info, "0001:03:00.0"));
	CHECK(!is_equal(info, "03:00.1"));
	CHECK(!is_equal(info, "ABCD:EF:00.0"));
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "", &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "03:00", &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "03:00.00", &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "0g:00.0", &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "mlx5_0", &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, NULL, &equal), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(info, "03:00.0", NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_is_equal_pci_addr(NULL, "03:00.0", &equal), DOCA_ERROR_INVALID_VALUE);
}

static void test_addresses(const struct doca_devinfo *info)
{
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE], ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE], ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE];
	doca_error_t result;

	CHECK_OK(doca_devinfo_get_mac_addr(info, mac, sizeof(mac)));
	CHECK_EQ(mac[0], 0x02); /* locally administered, unicast */
	CHECK_OK(doca_devinfo_get_ipv6_addr(info, ipv6, sizeof(ipv6)));
	CHECK(ipv6[0] == 0xfe && ipv6[1] == 0x80);
	CHECK_EQ(ipv6[15], mac[5]);
	result = doca_devinfo_get_ipv4_addr(info, ipv4, sizeof(ipv4));
	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(doca_devinfo_get_mac_addr(info, mac, 5), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_ipv6_addr(info, ipv6, 15), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_ipv4_addr(info, ipv4, 3), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_ipv4_addr(NULL, ipv4, 4), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_mac_addr(info, NULL, 6), DOCA_ERROR_INVALID_VALUE);
}

static void test_numbers(const struct doca_devinfo *info, enum doca_pci_func_type expected_type, uint16_t expected_vhca)
{
	enum doca_pci_func_type type;
	uint64_t rate;
	uint32_t index;
	uint16_t number;
	uint8_t answer;

	CHECK_OK(doca_devinfo_get_pci_func_type(info, &type));
	CHECK_EQ(type, expected_type);
	CHECK_OK(doca_devinfo_get_vhca_id(info, &number));
	CHECK_EQ(number, expected_vhca);
	CHECK_OK(doca_devinfo_get_active_rate(info, &rate));
	CHECK(rate >= 1000000000);
	CHECK_ERROR(doca_devinfo_get_lid(info, &number), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_devinfo_get_sf_index(info, &index), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_devinfo_cap_is_hotplug_manager_supported(info, &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_devinfo_cap_is_accelerate_resource_reclaim_supported(info, &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_devinfo_cap_is_notification_moderation_supported(info, &answer));
	CHECK_EQ(answer, 0);
	CHECK_ERROR(doca_devinfo_get_pci_func_type(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_vhca_id(NULL, &number), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_active_rate(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_lid(NULL, &number), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_sf_index(NULL, &index), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_cap_is_hotplug_manager_supported(info, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void test_unique_names(struct doca_devinfo **list, uint32_t count)
{
	char a[DOCA_DEVINFO_IBDEV_NAME_SIZE], b[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t i, j;

	for (i = 0; i < count; i++) {
		CHECK_OK(doca_devinfo_get_ibdev_name(list[i], a, sizeof(a)));
		for (j = 0; j < i; j++) {
			CHECK_OK(doca_devinfo_get_ibdev_name(list[j], b, sizeof(b)));
			CHECK(strcmp(a, b) != 0);
		}
	}
}

int main(void)
{
	static const char *const expected[] = { "0000:03:00.0", "0000:03:00.1", "0000:81:00.0",
						"0000:81:00.1", "0000:81:00.2", "0000:81:00.3" };
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_ERROR(doca_devinfo_create_list(NULL, &count), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_create_list(&list, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_devinfo_create_list(&list, &count));
	CHECK_EQ(count, 6);
	for (i = 0; i < count; i++) {
		test_strings(list[i], expected[i]);
		test_addresses(list[i]);
		test_numbers(list[i], i < 4 ? DOCA_PCI_FUNC_TYPE_PF : DOCA_PCI_FUNC_TYPE_VF, (uint16_t)i);
	}
	test_pci_comparison(list[0]);
	test_unique_names(list, count);
	CHECK_OK(doca_devinfo_destroy_list(list));
	return 0;
}
