/*
 * An offer of memory:
 *
 *	offset  size  field
 *	     0     4  "dpuR"
 *	     4     8  begin of the client's part of the memory
 *	    12     8  size of the part
 *	    20     4  longest message that the server receives
 *	    24     1  permissions of peers
 *	    25     n  export of the memory
 */
#include "rdma.h"

#include <endian.h>
#include <string.h>

#include "report.h"

enum { AT_BEGIN = 4, AT_BYTES = 12, AT_MESSAGE = 20, AT_PERMISSIONS = 24, AT_EXPORT = 25 };

static const char magic[AT_BEGIN] = { 'd', 'p', 'u', 'R' };

size_t rdma_offer_encode(const struct rdma_offer *offer, uint8_t *message)
{
	uint64_t begin = htobe64(offer->begin), bytes = htobe64(offer->bytes);
	uint32_t message_bytes = htobe32(offer->message_bytes);

	if (offer->export_bytes > RDMA_MAX_OFFER - AT_EXPORT) {
		report_fault("the export has %zu bytes, too many for an offer", offer->export_bytes);
		return 0;
	}
	memcpy(message, magic, sizeof(magic));
	memcpy(message + AT_BEGIN, &begin, sizeof(begin));
	memcpy(message + AT_BYTES, &bytes, sizeof(bytes));
	memcpy(message + AT_MESSAGE, &message_bytes, sizeof(message_bytes));
	message[AT_PERMISSIONS] = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	memcpy(message + AT_EXPORT, offer->export, offer->export_bytes);
	return AT_EXPORT + offer->export_bytes;
}

bool rdma_offer_decode(struct rdma_offer *offer, const uint8_t *message, size_t len)
{
	uint64_t begin, bytes;
	uint32_t message_bytes;

	if (len <= AT_EXPORT || memcmp(message, magic, sizeof(magic)) != 0)
		return report_fault("a message of %zu bytes is no offer of memory", len);
	memcpy(&begin, message + AT_BEGIN, sizeof(begin));
	memcpy(&bytes, message + AT_BYTES, sizeof(bytes));
	memcpy(&message_bytes, message + AT_MESSAGE, sizeof(message_bytes));
	*offer = (struct rdma_offer){ be64toh(begin), be64toh(bytes), be32toh(message_bytes), message + AT_EXPORT, len - AT_EXPORT };
	return true;
}
