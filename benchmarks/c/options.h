/*
 * Options of the programs. Each program names those that it has; what is not given keeps its default.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"
#include "work.h"

struct options {
	const char *device;	 /* PCI address; DOCA_DEV_PCI, else NULL: the first that suits */
	const char *representor; /* the same; DOCA_DEV_REP_PCI */
	const char *dma_device;	 /* PCI address of the device that exports or copies; NULL: the connection's */
	const char *name;	 /* of the service */
	uint64_t idle;		 /* enum idle */
	uint64_t kind;		 /* enum work_kind */
	uint64_t timeout_s;
	uint64_t trials;
	uint64_t clients; /* 0: until told to stop */
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
};

/** The defaults that all programs share, from the environment where it has them. */
void options_begin(struct options *options);
/** Take the options; names are those of the program, with a NULL at the end. What is wrong is printed with usage, and is the end of
 *  the program (status 2); --help prints usage as well (status 0). Nothing but options is accepted. */
void options_parse(struct options *options, int argc, char **argv, const char *const *names, const char *usage);

/** Whether the next trial may begin: with --paced, after a line on standard input. False at the input's end. */
bool options_wait_for_turn(const struct options *options);

#endif
