/*
 * One file through a device: read blocks, let them be compressed, write the members in order.
 */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

struct job {
	struct device *device;
	const char *input_name;
	const char *output_name; /* where the file is while it grows */
	int input;
	int output;
	size_t block_size;
	bool at_end; /* of the input */
	bool failed;
	uint64_t bytes_in;
	uint64_t bytes_out;
	uint64_t members;
	uint64_t sleeps;
};

/** Compress all of input into output. False on failure, which was printed. */
bool job_run(struct job *job);

#endif
