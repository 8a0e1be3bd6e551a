/* Compression of one file by a device: reads blocks, compresses them, and writes the members in order. */
#ifndef JOB_H
#define JOB_H

#include "work.h"

struct job {
	struct engine *engine;
	struct work *work;
	struct work_memory *memory; /* a ring of blocks: read, submitted and written in order, done in any order */
	const char *input_name;
	const char *output_name; /* name of the incomplete file */
	int input;
	int output;
	bool at_end; /* the input has ended */
	bool failed;
	uint64_t num_read; /* free-running; block = number % memory->count */
	uint64_t num_written;
	uint64_t bytes_in;
	uint64_t bytes_out;
};

/** Compresses all of input into output. On failure prints an error and returns false. */
bool job_run(struct job *job);

#endif
