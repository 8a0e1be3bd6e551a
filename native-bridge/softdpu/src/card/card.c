#include "card.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "sd_config.h"

/* Addresses are from ranges that real machines do not use: locally administered MACs and TEST-NET-1. */
static const struct card_function functions[] = {
	{ .side = CARD_SIDE_DPU, .pci_addr = "0000:03:00.0", .type = DOCA_PCI_FUNC_TYPE_PF, .ibdev_name = "mlx5_0",
	  .iface_name = "p0", .vhca_id = 0, .mac = { 0x02, 0x5d, 0x00, 0x03, 0x00, 0x00 }, .ipv4 = { 192, 0, 2, 30 },
	  .vuid = "SOFTDPU0ECPFS0D0F0", .port = 0 },
	{ .side = CARD_SIDE_DPU, .pci_addr = "0000:03:00.1", .type = DOCA_PCI_FUNC_TYPE_PF, .ibdev_name = "mlx5_1",
	  .iface_name = "p1", .vhca_id = 1, .mac = { 0x02, 0x5d, 0x00, 0x03, 0x00, 0x01 }, .ipv4 = { 192, 0, 2, 31 },
	  .vuid = "SOFTDPU0ECPFS0D0F1", .port = 1 },
	{ .side = CARD_SIDE_HOST, .pci_addr = "0000:81:00.0", .type = DOCA_PCI_FUNC_TYPE_PF, .ibdev_name = "mlx5_2",
	  .iface_name = "enp129s0f0np0", .vhca_id = 2, .mac = { 0x02, 0x5d, 0x00, 0x81, 0x00, 0x00 },
	  .ipv4 = { 192, 0, 2, 81 }, .vuid = "SOFTDPU0S0D0F0", .rep_iface_name = "pf0hpf", .port = 0 },
	{ .side = CARD_SIDE_HOST, .pci_addr = "0000:81:00.1", .type = DOCA_PCI_FUNC_TYPE_PF, .ibdev_name = "mlx5_3",
	  .iface_name = "enp129s0f1np1", .vhca_id = 3, .mac = { 0x02, 0x5d, 0x00, 0x81, 0x00, 0x01 },
	  .ipv4 = { 192, 0, 2, 82 }, .vuid = "SOFTDPU0S0D0F1", .rep_iface_name = "pf1hpf", .port = 1 },
	{ .side = CARD_SIDE_HOST, .pci_addr = "0000:81:00.2", .type = DOCA_PCI_FUNC_TYPE_VF, .ibdev_name = "mlx5_4",
	  .iface_name = "enp129s0f0v0", .vhca_id = 4, .mac = { 0x02, 0x5d, 0x00, 0x81, 0x00, 0x02 },
	  .vuid = "SOFTDPU0S0D0F0VF1", .rep_iface_name = "pf0vf0", .port = 0 },
	{ .side = CARD_SIDE_HOST, .pci_addr = "0000:81:00.3", .type = DOCA_PCI_FUNC_TYPE_VF, .ibdev_name = "mlx5_5",
	  .iface_name = "enp129s0f0v1", .vhca_id = 5, .mac = { 0x02, 0x5d, 0x00, 0x81, 0x00, 0x03 },
	  .vuid = "SOFTDPU0S0D0F0VF2", .rep_iface_name = "pf0vf1", .port = 0 },
};

static_assert(sizeof(functions) / sizeof(functions[0]) <= CARD_MAX_FUNCTIONS, "tables of functions are too small");

const struct card_function *card_functions(size_t *count)
{
	*count = sizeof(functions) / sizeof(functions[0]);
	return functions;
}

/* Returns whether text matches pattern, in which x matches any hexadecimal digit. */
static uint8_t matches(const char *text, const char *pattern)
{
	for (; *pattern != '\0'; text++, pattern++) {
		if (*pattern == 'x' ? strchr("0123456789abcdefABCDEF", *text) == NULL || *text == '\0' : *text != *pattern)
			return 0;
	}
	return *text == '\0';
}

doca_error_t card_compare_pci_addr(const char *pci_addr, const char *text, uint8_t *is_equal)
{
	static const char domain[] = "0000:";
	const size_t domain_len = sizeof(domain) - 1;

	if (pci_addr == NULL || text == NULL || is_equal == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (matches(text, "xxxx:xx:xx.x"))
		*is_equal = strcasecmp(text, pci_addr) == 0;
	else if (matches(text, "xx:xx.x"))
		*is_equal = strncmp(pci_addr, domain, domain_len) == 0 && strcasecmp(text, pci_addr + domain_len) == 0;
	else
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}
