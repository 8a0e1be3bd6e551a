/* Matrices: creation from a formula or from bytes, and the matrices of recover and update that follow from a coding matrix. */
#include <stdlib.h>
#include <string.h>

#include "sd_calls.h"
#include "sd_ec.h"
#include "sd_fault.h"

enum { TABLE_LEN = 32 /* bytes per coefficient */ };

void sd_ec_matrix_release(struct doca_ec_matrix *matrix)
{
	if (matrix == NULL || atomic_fetch_sub(&matrix->num_refs, 1) > 1)
		return;
	free(matrix->rows);
	free(matrix->tables);
	free(matrix);
}

/* Returns a matrix of zeroes with one reference; NULL: result has the error. */
static struct doca_ec_matrix *create(size_t num_in, size_t num_out, doca_error_t *result)
{
	struct doca_ec_matrix *matrix = sd_fault_calloc("alloc-matrix", sizeof(*matrix), result);

	if (matrix == NULL)
		return NULL;
	atomic_init(&matrix->num_refs, 1);
	matrix->num_in = (uint32_t)num_in;
	matrix->num_out = (uint32_t)num_out;
	matrix->rows = calloc(num_out, num_in);
	matrix->tables = malloc(num_in * num_out * TABLE_LEN);
	if (matrix->rows != NULL && matrix->tables != NULL)
		return matrix;
	sd_ec_matrix_release(matrix);
	*result = DOCA_ERROR_NO_MEMORY;
	return NULL;
}

static uint8_t *row_of(const struct doca_ec_matrix *matrix, size_t out)
{
	return matrix->rows + out * matrix->num_in;
}

static doca_error_t finish(struct doca_ec_matrix *created, struct doca_ec_matrix **matrix)
{
	sd_ec_isal()->init_tables((int)created->num_in, (int)created->num_out, created->rows, created->tables);
	sd_calls_created("ec_matrix", created);
	*matrix = created;
	return DOCA_SUCCESS;
}

/* Checks the arguments of a coding matrix, and creates it. */
static doca_error_t create_coding(const struct doca_ec *ec, size_t data_count, size_t rdnc_count, struct doca_ec_matrix **out,
				  struct doca_ec_matrix **created)
{
	doca_error_t result;

	if (ec == NULL || out == NULL || data_count == 0 || rdnc_count == 0 || data_count >= SD_EC_MAX_BLOCKS ||
	    rdnc_count > SD_EC_MAX_BLOCKS - data_count)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_ec_isal() == NULL)
		return DOCA_ERROR_NOT_SUPPORTED;
	*created = create(data_count, rdnc_count, &result);
	if (*created == NULL)
		return result;
	(*created)->is_coding = 1;
	return DOCA_SUCCESS;
}

/* Coefficient of data block i in redundancy block j: 1 / (i + (j + data_count)). */
static void fill_cauchy(struct doca_ec_matrix *matrix)
{
	for (uint32_t j = 0; j < matrix->num_out; j++) {
		for (uint32_t i = 0; i < matrix->num_in; i++)
			row_of(matrix, j)[i] = sd_ec_isal()->inv((uint8_t)(i ^ (j + matrix->num_in)));
	}
}

/* Coefficient of data block i in redundancy block j: (i + 1)^j. */
static void fill_vandermonde(struct doca_ec_matrix *matrix)
{
	for (uint32_t i = 0; i < matrix->num_in; i++) {
		uint8_t power = 1;

		for (uint32_t j = 0; j < matrix->num_out; j++) {
			row_of(matrix, j)[i] = power;
			power = sd_ec_isal()->mul(power, (uint8_t)(i + 1));
		}
	}
}

doca_error_t doca_ec_matrix_create(struct doca_ec *ec, enum doca_ec_matrix_type type, size_t data_block_count,
				   size_t rdnc_block_count, struct doca_ec_matrix **matrix)
{
	struct doca_ec_matrix *created;
	doca_error_t result;

	if (type != DOCA_EC_MATRIX_TYPE_CAUCHY && type != DOCA_EC_MATRIX_TYPE_VANDERMONDE)
		return DOCA_ERROR_INVALID_VALUE;
	result = create_coding(ec, data_block_count, rdnc_block_count, matrix, &created);
	if (result != DOCA_SUCCESS)
		return result;
	(type == DOCA_EC_MATRIX_TYPE_CAUCHY ? fill_cauchy : fill_vandermonde)(created);
	return finish(created, matrix);
}

doca_error_t doca_ec_matrix_create_from_raw(struct doca_ec *ec, uint8_t *data, size_t data_block_count, size_t rdnc_block_count,
					    struct doca_ec_matrix **matrix)
{
	struct doca_ec_matrix *created;
	doca_error_t result;

	if (data == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = create_coding(ec, data_block_count, rdnc_block_count, matrix, &created);
	if (result != DOCA_SUCCESS)
		return result;
	for (size_t i = 0; i < data_block_count; i++) {
		for (size_t j = 0; j < rdnc_block_count; j++)
			row_of(created, j)[i] = data[i * rdnc_block_count + j];
	}
	return finish(created, matrix);
}

static uint8_t is_ascending(const uint32_t *indices, size_t count, size_t end)
{
	for (size_t i = 0; i < count; i++) {
		if (indices[i] >= end || (i > 0 && indices[i] <= indices[i - 1]))
			return 0;
	}
	return 1;
}

/* Writes the row that expresses a block by the data blocks: of the identity for data, of the coding matrix for redundancy. */
static void express(const struct doca_ec_matrix *coding, size_t block, uint8_t *row)
{
	if (block >= coding->num_in) {
		memcpy(row, row_of(coding, block - coding->num_in), coding->num_in);
		return;
	}
	memset(row, 0, coding->num_in);
	row[block] = 1;
}

/*
 * Computes the matrix from the available blocks, the first num_in that are not missing, to the data blocks. INVALID_VALUE: the data
 * do not follow from these blocks.
 */
static doca_error_t invert_available(const struct doca_ec_matrix *coding, const uint32_t *missing, size_t num_missing,
				     uint8_t *to_data)
{
	size_t n = coding->num_in, next = 0, available = 0;
	uint8_t *rows = malloc(n * n);
	int is_singular;

	if (rows == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (size_t block = 0; available < n; block++) {
		if (next < num_missing && missing[next] == block)
			next++;
		else
			express(coding, block, rows + n * available++);
	}
	is_singular = sd_ec_isal()->invert_matrix(rows, to_data, (int)n);
	free(rows);
	return is_singular ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* Multiplies a row of n coefficients by a matrix of n x n. */
static void multiply(const uint8_t *row, const uint8_t *matrix, size_t n, uint8_t *product)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			product[j] ^= sd_ec_isal()->mul(row[i], matrix[i * n + j]);
	}
}

static doca_error_t fill_recover(struct doca_ec_matrix *matrix, const struct doca_ec_matrix *coding, const uint32_t *missing)
{
	size_t n = coding->num_in;
	uint8_t *to_data = malloc(n * n), *row = malloc(n);
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	if (to_data != NULL && row != NULL)
		result = invert_available(coding, missing, matrix->num_out, to_data);
	for (size_t i = 0; result == DOCA_SUCCESS && i < matrix->num_out; i++) {
		express(coding, missing[i], row);
		multiply(row, to_data, n, row_of(matrix, i));
	}
	free(to_data);
	free(row);
	return result;
}

doca_error_t doca_ec_matrix_create_recover(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					   uint32_t missing_indices[], size_t n_missing, struct doca_ec_matrix **matrix)
{
	struct doca_ec_matrix *created;
	doca_error_t result;

	if (ec == NULL || coding_matrix == NULL || missing_indices == NULL || matrix == NULL || !coding_matrix->is_coding ||
	    n_missing == 0 || n_missing > coding_matrix->num_out ||
	    !is_ascending(missing_indices, n_missing, (size_t)coding_matrix->num_in + coding_matrix->num_out))
		return DOCA_ERROR_INVALID_VALUE;
	created = create(coding_matrix->num_in, n_missing, &result);
	if (created == NULL)
		return result;
	result = fill_recover(created, coding_matrix, missing_indices);
	if (result == DOCA_SUCCESS)
		return finish(created, matrix);
	sd_ec_matrix_release(created);
	return result;
}

/* new redundancy = old redundancy + coefficient * (old data + new data), for each updated data block */
static void fill_update(struct doca_ec_matrix *matrix, const struct doca_ec_matrix *coding, const uint32_t *updated, size_t count)
{
	for (size_t j = 0; j < coding->num_out; j++) {
		uint8_t *row = row_of(matrix, j);

		for (size_t i = 0; i < count; i++)
			row[2 * i] = row[2 * i + 1] = row_of(coding, j)[updated[i]];
		row[2 * count + j] = 1;
	}
}

doca_error_t doca_ec_matrix_create_update(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					  uint32_t update_indices[], size_t n_updates, struct doca_ec_matrix **matrix)
{
	struct doca_ec_matrix *created;
	doca_error_t result;

	if (ec == NULL || coding_matrix == NULL || update_indices == NULL || matrix == NULL || !coding_matrix->is_coding ||
	    n_updates == 0 || n_updates > coding_matrix->num_in || !is_ascending(update_indices, n_updates, coding_matrix->num_in))
		return DOCA_ERROR_INVALID_VALUE;
	created = create(2 * n_updates + coding_matrix->num_out, coding_matrix->num_out, &result);
	if (created == NULL)
		return result;
	fill_update(created, coding_matrix, update_indices, n_updates);
	return finish(created, matrix);
}

doca_error_t doca_ec_matrix_destroy(struct doca_ec_matrix *matrix)
{
	if (sd_calls_refuse(__func__, matrix))
		return DOCA_ERROR_BAD_STATE;
	if (matrix == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	sd_calls_destroyed(matrix);
	sd_ec_matrix_release(matrix);
	return DOCA_SUCCESS;
}
