/*
 * dma-c serve | client: one side exports memory, the other copies it by DMA.
 *
 * The server exports and the client copies; --reverse on both ends swaps these roles. Each end uses the device of its
 * connection: the server one of the DPU's side, the client one of the host's. --dma-device names another one, on both ends.
 */
#include "dma.h"

#include <stdlib.h>

#include "pair.h"
#include "report.h"

static const char usage[] =
	"usage: dma-c serve  [--blocks N] [--block-size B] [--name NAME] [--clients N] [--idle busy|adaptive|event] [--timeout S]\n"
	"                    [--device PCI] [--representor PCI] [--dma-device PCI]\n"
	"       dma-c client [--parallel N] [--verify] [--trials N] [--paced] [--name NAME] [--idle ...] [--timeout S]\n"
	"                    [--device PCI] [--dma-device PCI]\n"
	"       with --reverse on both, the client has the blocks and the server copies: exchange their options then";

static void set_defaults(struct options *options)
{
	options->idle = IDLE_ADAPTIVE;
	options->blocks = 256;
	options->block_size = 1 << 20;
	options->parallel = 1;
}

static bool exports(const struct options *options, bool serves)
{
	return serves != options->reverse;
}

static bool open_device(struct dma *dma, struct doca_dev *connected)
{
	const char *address = dma->options->dma_device;

	if (address != NULL)
		dma->opened = card_open(address, work_dma.suits, "a device that exports, or imports and copies, memory");
	dma->dev = address != NULL ? dma->opened : connected;
	return dma->dev != NULL;
}

static bool open_memory(struct dma *dma, struct doca_dev *connected, bool is_exporter)
{
	const struct options *options = dma->options;

	if (!open_device(dma, connected) || !is_exporter)
		return dma->dev != NULL;
	dma->geometry = (struct geometry){ (uint32_t)options->blocks, (uint32_t)options->block_size };
	if (!geometry_is_sound(dma->geometry))
		return report_fault("--blocks, --block-size: too much for one region of memory");
	if (!region_open(&dma->region, geometry_bytes(dma->geometry), dma->dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY))
		return false;
	region_fill(&dma->region, dma->geometry, false);
	return true;
}

static bool dma_close(void *shared)
{
	struct dma *dma = shared;
	bool clean = region_close(&dma->region);

	clean = card_close(dma->opened) && clean;
	free(dma);
	return clean;
}

static void *dma_open(const struct options *options, struct engine *engine, struct doca_dev *dev, bool serves)
{
	struct dma *dma = calloc(1, sizeof(*dma));

	if (dma == NULL) {
		report(DOCA_ERROR_NO_MEMORY, "calloc", "blocks");
		return NULL;
	}
	dma->options = options;
	dma->engine = engine;
	if (open_memory(dma, dev, exports(options, serves)))
		return dma;
	dma_close(dma);
	return NULL;
}

static const struct role *dma_role(const struct options *options, bool serves)
{
	return exports(options, serves) ? &dma_export_role : &dma_import_role;
}

bool dma_print(const struct dma *dma, const struct region *copy, struct geometry geometry, uint64_t elapsed_ns)
{
	return region_print(copy, geometry, dma->options->verify, (unsigned int)dma->options->parallel, elapsed_ns);
}

/* The importer prints: a client here, a server from its role. */
static bool finish_trial(void *shared)
{
	const struct dma *dma = shared;

	return dma->options->reverse || dma_print(dma, &dma->region, dma->geometry, dma->elapsed_ns);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "blocks", "block-size", "parallel", "verify", "reverse", "dma-device", NULL };
	static const struct pair pair = {
		.program = "dma-c",
		.service = "dma-test",
		.usage = usage,
		.serve_options = names,
		.client_options = names,
		.defaults = set_defaults,
		.open = dma_open,
		.role = dma_role,
		.finish = finish_trial,
		.close = dma_close,
	};

	return pair_main(&pair, argc, argv);
}
