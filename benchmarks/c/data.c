/*
 * data-c serve | client: blocks over the fast path of comch.
 *
 * The server sends "<blocks> <block size>" in decimal, the client creates a consumer, the server sends block after block. Block i
 * is filled with the byte i & 0xff.
 */
#include "data.h"

#include <stdlib.h>

#include "pair.h"
#include "report.h"

enum { MAX_CLIENTS = 512 };

static const char usage[] =
	"usage: data-c serve  [--blocks N] [--block-size B] [--nul] [--name NAME] [--clients N] [--idle busy|adaptive|event]\n"
	"                     [--timeout S] [--device PCI] [--representor PCI]\n"
	"       data-c client [--verify] [--trials N] [--paced] [--name NAME] [--idle ...] [--timeout S] [--device PCI]";

static void set_defaults(struct options *options)
{
	options->idle = IDLE_ADAPTIVE;
	options->blocks = 256;
	options->block_size = 1 << 20;
}

static bool make_blocks(struct data *data)
{
	data->geometry = (struct geometry){ (uint32_t)data->options->blocks, (uint32_t)data->options->block_size };
	if (!geometry_is_sound(data->geometry))
		return report_fault("--blocks, --block-size: too much for one region of memory");
	data->inventory = region_open_inventory(MAX_CLIENTS);
	if (data->inventory == NULL || !region_open(&data->region, geometry_bytes(data->geometry), data->dev,
						    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY))
		return false;
	region_fill(&data->region, data->geometry, false);
	return true;
}

static bool data_close(void *shared)
{
	struct data *data = shared;
	bool clean = data->inventory == NULL ||
		     report(doca_buf_inventory_destroy(data->inventory), "doca_buf_inventory_destroy", "blocks");

	clean = region_close(&data->region) && clean;
	free(data);
	return clean;
}

static void *data_open(const struct options *options, struct engine *engine, struct doca_dev *dev, bool serves)
{
	struct data *data = calloc(1, sizeof(*data));

	if (data == NULL) {
		report(DOCA_ERROR_NO_MEMORY, "calloc", "blocks");
		return NULL;
	}
	data->options = options;
	data->engine = engine;
	data->dev = dev;
	if (!serves || make_blocks(data))
		return data;
	data_close(data);
	return NULL;
}

static const struct role *data_role(const struct options *options, bool serves)
{
	(void)options;
	return serves ? &data_send_role : &data_receive_role;
}

static bool print_rate(void *shared)
{
	const struct data *data = shared;

	return region_print(&data->region, data->geometry, data->options->verify, 0, data->elapsed_ns);
}

int main(int argc, char **argv)
{
	static const char *const serve_options[] = { "blocks", "block-size", "nul", NULL };
	static const char *const client_options[] = { "verify", NULL };
	static const struct pair pair = {
		.program = "data-c",
		.service = "shoc-data-test",
		.usage = usage,
		.serve_options = serve_options,
		.client_options = client_options,
		.defaults = set_defaults,
		.open = data_open,
		.role = data_role,
		.finish = print_rate,
		.close = data_close,
	};

	return pair_main(&pair, argc, argv);
}
