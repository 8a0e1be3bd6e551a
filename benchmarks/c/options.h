/* Options of the programs. Each program names its options; an option that is not given keeps its default. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"
#include "work.h"

struct options {
	const char *device;	 /* PCI address; default DOCA_DEV_PCI, else NULL: the first suitable one */
	const char *representor; /* PCI address; default DOCA_DEV_REP_PCI, else NULL: the first one */
	const char *dma_device;	 /* PCI address of the device that exports or copies; NULL: the connection's */
	const char *name;	 /* name of the service */
	const char *file;	 /* the only argument that is no option */
	const char *out;
	const char *kind;	 /* name of a struct work_kind */
	const char *host;	 /* address of the server's device */
	uint64_t idle;		 /* enum idle */
	uint64_t port;
	uint64_t timeout_s;
	uint64_t trials;
	uint64_t clients; /* number of clients to serve; 0: until SIGTERM or SIGINT */
	uint64_t count;
	uint64_t size;
	uint64_t blocks;
	uint64_t block_size;
	uint64_t parallel;
	uint64_t window;
	bool verify;
	bool nul;
	bool reverse;
	bool paced;
	bool force;
};

/** Sets the defaults that all programs share, partly from the environment. */
void options_begin(struct options *options);
/**
 * Parses the options; names are those of the program, terminated by NULL. On an error prints it with usage, and
 * exits with status 2. --help prints usage and exits with status 0. The name "FILE" requires one argument besides the options.
 */
void options_parse(struct options *options, int argc, char **argv, const char *const *names, const char *usage);

/** Prints usage, and exits with status 2. */
_Noreturn void options_refuse(const char *usage);

/** Waits for a line on standard input, with --paced. Returns whether the next trial may begin; false at the end of the input. */
bool options_wait_for_turn(const struct options *options);

#endif
