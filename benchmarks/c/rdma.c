/*
 * rdma-c serve | client: tasks on memory of another process, and messages to it, by RDMA.
 *
 * The server offers each connection a part of its memory, and receives messages. The client keeps a window of tasks in flight, one
 * connection per process. Both ends use the protocol of `dpu serve rdma` and `dpu client rdma`.
 */
#include "rdma.h"

#include <string.h>

#include "report.h"

static const char usage[] =
	"usage: rdma-c serve  [--port N] [--connections N] [--memory B] [--message-size B] [--clients N] [--idle busy|adaptive|event]\n"
	"                     [--timeout S] [--device PCI]\n"
	"       rdma-c client [--host ADDRESS] [--port N] [--operation write|read|send] [--size B] [--count N] [--parallel N] [--verify]\n"
	"                     [--trials N] [--paced] [--idle ...] [--timeout S] [--device PCI]";

bool rdma_suits(const struct doca_devinfo *info)
{
	return doca_rdma_cap_task_write_is_supported(info) == DOCA_SUCCESS;
}

static bool run(const struct options *options, bool serves)
{
	struct engine engine;
	struct doca_dev *dev;
	bool done;

	if (!engine_open(&engine, (enum idle)options->idle, options->timeout_s * 1000))
		return false;
	dev = card_open(options->device, rdma_suits, "a device with RDMA");
	done = dev != NULL && (serves ? rdma_serve : rdma_measure)(options, &engine, dev);
	done = card_close(dev) && done;
	return engine_close(&engine) && done;
}

int main(int argc, char **argv)
{
	static const char *const serve_names[] = { "port",    "connections", "memory", "message-size", "clients",
						   "timeout", "idle",	     "device", NULL };
	static const char *const client_names[] = { "host",   "port",	"operation", "size",	"count", "parallel", "verify",
						    "trials", "paced",	"idle",	     "timeout", "device", NULL };
	bool serves = argc > 1 && strcmp(argv[1], "serve") == 0;
	bool measures = argc > 1 && strcmp(argv[1], "client") == 0;
	struct options options;

	report_program("rdma-c");
	options_begin(&options);
	options.idle = IDLE_ADAPTIVE;
	options.host = "127.0.0.1";
	options.port = 4791;
	options.kind = work_rdma_write.name;
	options.blocks = 16;
	options.block_size = 16 << 20;
	options.size = 64 << 10;
	options.count = 1000;
	options.parallel = 16;
	if (serves || measures)
		options_parse(&options, argc - 1, argv + 1, serves ? serve_names : client_names, usage);
	else
		options_refuse(usage);
	if (serves)
		engine_catch_signals();
	return run(&options, serves) ? 0 : 1;
}
