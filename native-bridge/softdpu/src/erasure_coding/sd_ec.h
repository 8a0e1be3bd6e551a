/*
 * Erasure coding: transforms of four kinds, which all multiply a matrix by the blocks of the source. The arithmetic in GF(2^8),
 * with polynomial 0x11d, is that of ISA-L, which is loaded at the first use. Without it no device supports the tasks.
 */
#ifndef SD_EC_H
#define SD_EC_H

#include <stdatomic.h>

#include "doca_erasure_coding.h"
#include "sd_transform.h"

enum {
	SD_EC_MAX_BLOCKS = 256,				/**< data and redundancy: distinct elements of the field */
	SD_EC_MAX_IN = 3 * SD_EC_MAX_BLOCKS,		/**< blocks of the source of an update */
	SD_EC_GRANULE = 64,				/**< bytes; a block is a multiple */
};

/** The functions of ISA-L. A matrix of rows x k bytes has one row per output. */
struct sd_ec_isal {
	unsigned char (*mul)(unsigned char a, unsigned char b);
	unsigned char (*inv)(unsigned char a);
	/** Inverts in, which it overwrites. Returns 0; another value: in is singular. */
	int (*invert_matrix)(unsigned char *in, unsigned char *out, const int n);
	/** Expands a matrix to 32 bytes per element. */
	void (*init_tables)(int k, int rows, unsigned char *matrix, unsigned char *tables);
	void (*encode_data)(int len, int k, int rows, unsigned char *tables, unsigned char **data, unsigned char **coding);
};

/** Returns the functions of ISA-L; NULL: not installed. Thread: any. */
const struct sd_ec_isal *sd_ec_isal(void);

struct doca_ec {
	struct sd_transform base;
};

/** A matrix. The creator of the matrix and every submission that uses it hold a reference. */
struct doca_ec_matrix {
	_Atomic uint32_t num_refs;
	uint32_t num_in, num_out;			/**< blocks of source and destination */
	uint8_t is_coding;				/**< from data to redundancy: the base of recover and update matrices */
	uint8_t *rows;					/**< num_out x num_in coefficients */
	uint8_t *tables;				/**< ISA-L's form of rows */
};

/** Drops a reference; frees the matrix without any. Thread: any. */
void sd_ec_matrix_release(struct doca_ec_matrix *matrix);

/** The part that all kinds of tasks share. */
struct sd_ec_task {
	struct sd_transform_task base;
	const struct doca_ec_matrix *matrix;		/**< the program's */
	struct doca_ec_matrix *latched;			/**< at submission, for the execution */
	uint8_t is_matrix_held;
};

struct doca_ec_task_galois_mul {
	struct sd_ec_task task;
};

struct doca_ec_task_create {
	struct sd_ec_task task;
};

struct doca_ec_task_update {
	struct sd_ec_task task;
};

struct doca_ec_task_recover {
	struct sd_ec_task task;
};

extern const struct sd_transform_kind sd_ec_galois_mul;
extern const struct sd_transform_kind sd_ec_create;
extern const struct sd_transform_kind sd_ec_update;
extern const struct sd_transform_kind sd_ec_recover;

#endif
