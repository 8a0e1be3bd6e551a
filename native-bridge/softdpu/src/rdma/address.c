/* Public functions of addresses. Thread: any, one at a time per address. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "sd_calls.h"
#include "sd_quirk.h"
#include "sd_rdma.h"

/* Reads the text of an address as 16 bytes. Returns 0 if it is not an address of this type. */
static uint8_t parse(enum doca_rdma_addr_type type, const char *text, uint8_t raw[SD_ADDRESS_LEN])
{
	memset(raw, 0, SD_ADDRESS_LEN);
	switch (type) {
	case DOCA_RDMA_ADDR_TYPE_IPv4:
		raw[10] = raw[11] = 0xff;
		return inet_pton(AF_INET, text, raw + 12) == 1;
	case DOCA_RDMA_ADDR_TYPE_IPv6:
	case DOCA_RDMA_ADDR_TYPE_GID:
		return inet_pton(AF_INET6, text, raw) == 1;
	default:
		return 0;
	}
}

void rdma_address_of_port(struct doca_rdma_connection *connection, uint16_t port)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct doca_rdma_addr *addr = &connection->own_addr;

	sd_address_of(connection->rdma->vhca_id, addr->raw);
	addr->port = port;
	addr->is_part = 1;
	if (memcmp(addr->raw, mapped, sizeof(mapped)) == 0) {
		addr->type = DOCA_RDMA_ADDR_TYPE_IPv4;
		inet_ntop(AF_INET, addr->raw + sizeof(mapped), addr->text, sizeof(addr->text));
	} else {
		addr->type = DOCA_RDMA_ADDR_TYPE_IPv6;
		inet_ntop(AF_INET6, addr->raw, addr->text, sizeof(addr->text));
	}
	connection->addr = addr;
}

void rdma_address_use(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr)
{
	if (addr->is_part) { /* its connection may be freed before this one */
		connection->own_addr = *addr;
		connection->addr = &connection->own_addr;
	} else {
		connection->addr = addr;
		addr->num_connections++;
	}
}

doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type, const char *address, uint16_t port,
				   struct doca_rdma_addr **addr)
{
	struct doca_rdma_addr *created;

	if (address == NULL || addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (strlen(address) >= sizeof(created->text) || !parse(addr_type, address, created->raw)) {
		free(created);
		if (!sd_quirk_is_on(SD_QUIRK_NULL_ADDRESS))
			return DOCA_ERROR_INVALID_VALUE;
		*addr = NULL;
		return DOCA_SUCCESS;
	}
	created->type = addr_type;
	created->port = port;
	strcpy(created->text, address);
	sd_calls_created("rdma-address", created);
	*addr = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr)
{
	uint32_t num_connections;

	if (sd_calls_refuse(__func__, addr))
		return DOCA_ERROR_BAD_STATE;
	if (addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&rdma_lock);
	num_connections = addr->num_connections;
	pthread_mutex_unlock(&rdma_lock);
	if (addr->is_part || num_connections > 0)
		return DOCA_ERROR_BAD_STATE;
	sd_calls_destroyed(addr);
	free(addr);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type, const char **address,
				       uint16_t *port)
{
	if (addr == NULL || addr_type == NULL || address == NULL || port == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*addr_type = addr->type;
	*address = addr->text;
	*port = addr->port;
	return DOCA_SUCCESS;
}
