/* Compression of one file by a device: reads blocks, compresses them, and writes the members in order. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

struct job {
	struct device *device;
	const char *input_name;
	const char *output_name; /* name of the incomplete file */
	int input;
	int output;
	size_t block_size;
	bool at_end; /* the input has ended */
	bool failed;
	uint64_t bytes_in;
	uint64_t bytes_out;
	uint64_t members;
	uint64_t sleeps;
};

/** Compresses all of input into output. On failure prints an error and returns false. */
bool job_run(struct job *job);

#endif
