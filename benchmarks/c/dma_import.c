/*
 * The importer: imports the exporter's memory, copies all blocks with several copies in flight, destroys the import, sends
 * `done`. The callbacks of the work keep the window full.
 */
#include "dma.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "work.h"

struct importer {
	struct geometry geometry;
	struct doca_mmap *map; /* the import; its addresses are the exporter's */
	struct region copy;
	struct doca_buf_inventory *inventory;
	struct work_buffers *buffers;
	struct work *work;
	uint64_t done;
	bool copied; /* all blocks are copied */
};

static void fail(struct peer *peer)
{
	if (!peer_is_leaving(peer))
		peer_fail(peer);
}

/* Re-uses the memory of the previous trial. */
static bool take_copy(struct dma *dma, struct importer *importer)
{
	size_t len = geometry_bytes(importer->geometry);

	if (dma->region.len == len) {
		importer->copy = dma->region;
		memset(&dma->region, 0, sizeof(dma->region));
	}
	return importer->copy.len == len || region_open(&importer->copy, len, dma->dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static bool put_copy(struct dma *dma, struct importer *importer)
{
	bool clean = region_close(&dma->region);

	dma->region = importer->copy;
	memset(&importer->copy, 0, sizeof(importer->copy));
	return clean;
}

static bool import(const struct dma *dma, struct importer *importer, const uint8_t *descriptor, size_t len)
{
	uint32_t blocks = importer->geometry.blocks, block_size = importer->geometry.block_size;
	void *addr = NULL;
	size_t bytes = 0;

	if (!report(doca_mmap_create_from_export(NULL, descriptor, len, dma->dev, &importer->map), "doca_mmap_create_from_export",
		    "an export of \"%s\"", dma->options->name) ||
	    !report(doca_mmap_get_memrange(importer->map, &addr, &bytes), "doca_mmap_get_memrange", "import"))
		return false;
	if (bytes < geometry_bytes(importer->geometry))
		return report_fault("the export has %zu bytes, fewer than %u blocks of %u", bytes, blocks, block_size);
	importer->inventory = region_open_inventory(2 * (size_t)blocks);
	importer->buffers = calloc(blocks, sizeof(*importer->buffers));
	if (importer->inventory == NULL || importer->buffers == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%u blocks", blocks);
	return work_take_buffers(importer->buffers, blocks, importer->inventory,
				 (struct work_range){ importer->map, addr, block_size, block_size },
				 (struct work_range){ importer->copy.map, importer->copy.base, block_size, block_size });
}

static bool begin(struct dma *dma, struct importer *importer)
{
	struct work_plan plan = {
		.buffers = importer->buffers, .num_buffers = importer->geometry.blocks, .count = importer->geometry.blocks
	};
	uint32_t window = (uint32_t)dma->options->parallel;

	if (window > importer->geometry.blocks)
		window = importer->geometry.blocks;
	importer->work = work_open(dma->engine, dma->dev, &work_dma, window);
	if (importer->work == NULL)
		return false;
	work_begin(importer->work, &plan);
	return true;
}

static void take_export(struct peer *peer, const uint8_t *bytes, uint32_t len)
{
	struct importer *importer = peer_state(peer);
	struct dma *dma = peer_shared(peer);
	const size_t head = sizeof(importer->geometry);

	if (importer->map != NULL || len <= head || len > head + DMA_MAX_DESCRIPTOR) {
		report_fault("a message of %u bytes from \"%s\" is no export", len, dma->options->name);
		fail(peer);
		return;
	}
	memcpy(&importer->geometry, bytes, head);
	if (!geometry_is_sound(importer->geometry)) {
		report_fault("\"%s\" says %u blocks of %u bytes", dma->options->name, importer->geometry.blocks,
			     importer->geometry.block_size);
		fail(peer);
		return;
	}
	if (!take_copy(dma, importer)) {
		fail(peer);
		return;
	}
	if (dma->options->verify)
		region_fill(&importer->copy, importer->geometry, true);
	if (!import(dma, importer, bytes + head, len - head) || !begin(dma, importer))
		fail(peer);
}

/* Releases the users of the import, then the import itself: after `done` the exporter may free its memory. */
static bool release(struct peer *peer)
{
	struct importer *importer = peer_state(peer);
	bool clean;

	if (importer->work != NULL && !work_end(importer->work))
		return false;
	importer->work = NULL;
	clean = work_release_buffers(importer->buffers, importer->geometry.blocks);
	free(importer->buffers);
	importer->buffers = NULL;
	if (importer->inventory != NULL)
		clean = report(doca_buf_inventory_destroy(importer->inventory), "doca_buf_inventory_destroy", "blocks") && clean;
	importer->inventory = NULL;
	if (importer->map != NULL)
		clean = report(doca_mmap_destroy(importer->map), "doca_mmap_destroy", "import") && clean;
	importer->map = NULL;
	if (!clean)
		fail(peer);
	return true;
}

static void finish(struct peer *peer)
{
	struct importer *importer = peer_state(peer);
	struct dma *dma = peer_shared(peer);

	dma->geometry = importer->geometry;
	peer_send(peer, "done", 4);
	if (peer_is_leaving(peer))
		return;
	if (peer_is_client(peer)) {
		peer_leave(peer);
		return;
	}
	peer_complete(peer);
	if (!dma_print(dma, &importer->copy, importer->geometry, dma->elapsed_ns))
		fail(peer);
}

static bool advance(struct peer *peer)
{
	struct importer *importer = peer_state(peer);
	struct dma *dma = peer_shared(peer);

	if (importer->work == NULL)
		return false;
	if (!importer->copied) {
		work_turn(importer->work);
		if (work_done(importer->work) != importer->done)
			peer_touch(peer);
		importer->done = work_done(importer->work);
		if (!work_is_over(importer->work))
			return work_is_eager(importer->work);
		if (work_has_failed(importer->work)) {
			fail(peer);
			return false;
		}
		importer->copied = true;
		dma->elapsed_ns = work_elapsed_ns(importer->work);
	}
	if (release(peer) && !peer_is_leaving(peer))
		finish(peer);
	return false;
}

static bool close_import(struct peer *peer)
{
	if (!release(peer))
		return false;
	if (!put_copy(peer_shared(peer), peer_state(peer)))
		fail(peer);
	return true;
}

static void connected(struct peer *peer)
{
	(void)peer; /* the exporter sends the first message */
}

const struct role dma_import_role = {
	.state_bytes = sizeof(struct importer),
	.opened = connected,
	.received = take_export,
	.turn = advance,
	.closed = close_import,
};
