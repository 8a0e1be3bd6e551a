#include "sd_address.h"

#include <string.h>

#include "card.h"
#include "sd_config.h"

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

static uint8_t is_loopback(const uint8_t address[SD_ADDRESS_LEN])
{
	static const uint8_t ipv6[SD_ADDRESS_LEN] = { [15] = 1 };

	return memcmp(address, ipv6, sizeof(ipv6)) == 0 ||
	       (memcmp(address, mapped, sizeof(mapped)) == 0 && address[sizeof(mapped)] == 127);
}

static uint8_t is_set(const uint8_t address[SD_ADDRESS_LEN])
{
	const struct sd_tcp *tcp = &sd_config()->tcp;

	return tcp->key_len > 0 && memcmp(address, tcp->address, sizeof(tcp->address)) == 0;
}

static void write_gid(const struct card_function *function, uint8_t address[SD_ADDRESS_LEN])
{
	const uint8_t *mac = function->mac;
	const uint8_t gid[SD_ADDRESS_LEN] = { 0xfe,   0x80,   [8] = mac[0] ^ 2, mac[1], mac[2],
					      0xff, 0xfe, mac[3], mac[4],	 mac[5] };

	memcpy(address, gid, sizeof(gid));
}

static uint8_t has_address(const struct card_function *function, const uint8_t address[SD_ADDRESS_LEN])
{
	uint8_t gid[SD_ADDRESS_LEN];

	write_gid(function, gid);
	if (memcmp(address, gid, sizeof(gid)) == 0)
		return 1;
	return memcmp(address, mapped, sizeof(mapped)) == 0 && function->ipv4[0] != 0 &&
	       memcmp(address + sizeof(mapped), function->ipv4, sizeof(function->ipv4)) == 0;
}

size_t sd_address_find(const uint8_t address[SD_ADDRESS_LEN], uint16_t *vhca_ids, size_t max)
{
	size_t num_functions, count = 0;
	const struct card_function *functions = card_functions(&num_functions);

	for (size_t i = 0; i < num_functions && count < max; i++) {
		if (is_loopback(address) || is_set(address) || has_address(&functions[i], address))
			vhca_ids[count++] = functions[i].vhca_id;
	}
	return count;
}

void sd_address_of(uint16_t vhca_id, uint8_t address[SD_ADDRESS_LEN])
{
	const struct sd_tcp *tcp = &sd_config()->tcp;
	size_t num_functions;
	const struct card_function *function = card_functions(&num_functions);

	while (function->vhca_id != vhca_id)
		function++;
	if (tcp->key_len > 0) {
		memcpy(address, tcp->address, sizeof(tcp->address));
	} else if (function->ipv4[0] != 0) {
		memcpy(address, mapped, sizeof(mapped));
		memcpy(address + sizeof(mapped), function->ipv4, sizeof(function->ipv4));
	} else {
		write_gid(function, address);
	}
}
