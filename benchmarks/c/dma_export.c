/* The exporter: sends the location of the blocks, and waits until the importer has copied them. */
#include "dma.h"

#include <string.h>

#include "report.h"

static void send_export(struct peer *peer)
{
	const struct dma *dma = peer_shared(peer);
	uint8_t message[sizeof(dma->geometry) + DMA_MAX_DESCRIPTOR];
	const void *descriptor;
	size_t len;

	if (!report(doca_mmap_export_pci(dma->region.map, dma->dev, &descriptor, &len), "doca_mmap_export_pci",
		    "%u blocks for \"%s\"", dma->geometry.blocks, dma->options->name)) {
		peer_fail(peer);
		return;
	}
	if (len > DMA_MAX_DESCRIPTOR) {
		report_fault("the export has %zu bytes, too many for a message", len);
		peer_fail(peer);
		return;
	}
	memcpy(message, &dma->geometry, sizeof(dma->geometry));
	memcpy(message + sizeof(dma->geometry), descriptor, len);
	peer_send(peer, message, (uint32_t)(sizeof(dma->geometry) + len));
}

static void take_done(struct peer *peer, const uint8_t *bytes, uint32_t len)
{
	if (len < 4 || len > 5 || memcmp(bytes, "done", 4) != 0) {
		report_fault("a message of %u bytes is not `done`", len);
		peer_fail(peer);
	} else if (peer_is_client(peer)) {
		peer_leave(peer);
	} else {
		peer_touch(peer);
		peer_complete(peer);
	}
}

const struct role dma_export_role = { .opened = send_export, .received = take_done };
