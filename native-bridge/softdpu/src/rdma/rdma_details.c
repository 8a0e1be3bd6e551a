#include "rdma_details.h"

#include <string.h>
#include <unistd.h>

#include "sd_fnv.h"
#include "sd_secret.h"

static uint64_t check_value(const struct rdma_details *details)
{
	return sd_fnv(SD_FNV_START, details, offsetof(struct rdma_details, check));
}

doca_error_t rdma_details_write(struct rdma_details *details, uint32_t transport, uint64_t port)
{
	doca_error_t result;

	*details = (struct rdma_details){
		.magic = RDMA_DETAILS_MAGIC,
		.version = RDMA_DETAILS_VERSION,
		.size = sizeof(*details),
		.port = port,
		.pid = (uint32_t)getpid(),
		.transport = transport,
	};
	sd_endpoint_own(&details->endpoint);
	result = sd_secret_draw(&details->key);
	details->check = check_value(details);
	return result;
}

uint8_t rdma_details_read(struct rdma_details *details, const void *bytes, size_t len)
{
	if (len != sizeof(*details))
		return 0;
	memcpy(details, bytes, sizeof(*details));
	return details->magic == RDMA_DETAILS_MAGIC && details->version == RDMA_DETAILS_VERSION &&
	       details->size == sizeof(*details) && details->check == check_value(details);
}
