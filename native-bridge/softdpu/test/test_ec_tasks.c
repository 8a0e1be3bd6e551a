/*
 * Create, update and multiplication: equal to ISA-L called directly, for many sizes of blocks, for lists that split blocks
 * anywhere, and for matrices from bytes. An update equals a new creation.
 */
#include "ec.h"

enum { MAX_BLOCKS = 16, MAX_LEN = 40000 };

typedef void (*init_tables_fn)(int k, int rows, unsigned char *matrix, unsigned char *tables);
typedef void (*encode_fn)(int len, int k, int rows, unsigned char *tables, unsigned char **data, unsigned char **coding);
typedef void (*cauchy_fn)(unsigned char *matrix, int m, int k);

static void *library;
static uint32_t random_state = 5;

static size_t draw(size_t from, size_t to)
{
	random_state = random_state * 1103515245 + 12345;
	return from + (random_state >> 8) % (to - from + 1);
}

/* Computes redundancy with ISA-L's Cauchy matrix. */
static void reference(const uint8_t *data, size_t len, int k, int rows, uint8_t *redundancy)
{
	unsigned char matrix[2 * MAX_BLOCKS * MAX_BLOCKS], tables[32 * MAX_BLOCKS * MAX_BLOCKS];
	unsigned char *from[MAX_BLOCKS], *to[MAX_BLOCKS];

	((cauchy_fn)dlsym(library, "gf_gen_cauchy1_matrix"))(matrix, k + rows, k);
	((init_tables_fn)dlsym(library, "ec_init_tables"))(k, rows, matrix + k * k, tables);
	for (int i = 0; i < k; i++)
		from[i] = (unsigned char *)(uintptr_t)data + (size_t)i * len;
	for (int i = 0; i < rows; i++)
		to[i] = redundancy + (size_t)i * len;
	((encode_fn)dlsym(library, "ec_encode_data"))((int)len, k, rows, tables, from, to);
}

static void equals_isal(struct coder *coder, size_t len, int k, int rows, int pieces_in, int pieces_out)
{
	static uint8_t expected[MAX_BLOCKS * MAX_LEN];
	struct doca_ec_matrix *matrix = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_CAUCHY, (size_t)k, (size_t)rows);
	struct rig *rig = &coder->rig;
	size_t in = (size_t)k * len, out = (size_t)rows * len;

	reference(rig->memory, len, k, rows, expected);
	CHECK_OK(ec_create(coder, matrix, codec_list(rig, 0, in, pieces_in, 1), codec_list(rig, EC_AT, out, pieces_out, 0)));
	CHECK(memcmp(rig->memory + EC_AT, expected, out) == 0);
	memset(rig->memory + EC_AT, 0, out);
	CHECK_OK(ec_galois_mul(coder, matrix, codec_list(rig, 0, in, pieces_in, 1), codec_list(rig, EC_AT, out, pieces_out, 0)));
	CHECK(memcmp(rig->memory + EC_AT, expected, out) == 0);
	CHECK_OK(doca_ec_matrix_destroy(matrix));
}

static void sizes(struct coder *coder)
{
	for (size_t len = 64; len <= 39936; len = len * 3 / 2 / 64 * 64 + 64)
		equals_isal(coder, len, 10, 4, 1, 1);
	for (int i = 0; i < 40; i++)
		equals_isal(coder, 64 * draw(1, 200), (int)draw(1, 12), (int)draw(1, 4), (int)draw(1, 60), (int)draw(1, 60));
}

/* The destination's content stays, and the redundancy follows it. */
static void appends(struct coder *coder)
{
	struct doca_ec_matrix *matrix = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_CAUCHY, 2, 1);
	struct rig *rig = &coder->rig;
	struct doca_buf *src = rig_source(rig, 0, 128), *dst = rig_room(rig, EC_AT, 100);
	struct doca_task *task;
	uint8_t expected[64];

	reference(rig->memory, 64, 2, 1, expected);
	CHECK_OK(doca_buf_set_data_len(dst, 36));
	task = ec_alloc_create(coder, matrix, src, dst);
	CHECK_EQ(codec_wait(rig, task), DOCA_SUCCESS);
	CHECK_EQ(rig_data_len(dst), 100);
	CHECK(memcmp(rig->memory + EC_AT + 36, expected, 64) == 0);
	doca_task_free(task);
	rig_drop(src);
	rig_drop(dst);
	CHECK_OK(doca_ec_matrix_destroy(matrix));
}

/* Two of five data blocks change. */
static void update(struct coder *coder, enum doca_ec_matrix_type type)
{
	enum { LEN = 192, K = 5, ROWS = 3, CHANGED = 64 << 10 };
	struct doca_ec_matrix *coding = ec_matrix(coder, type, K, ROWS), *matrix;
	uint8_t *memory = coder->rig.memory, *source = memory + EC_BACK;
	uint32_t updated[] = { 1, 4 };

	memcpy(memory + CHANGED, memory, K * LEN);
	CHECK_OK(ec_create(coder, coding, rig_source(&coder->rig, 0, K * LEN), rig_room(&coder->rig, EC_AT, ROWS * LEN)));
	for (int i = 0; i < 2; i++) {
		uint8_t *changed = memory + CHANGED + updated[i] * LEN;

		memcpy(source + 2 * i * LEN, changed, LEN);
		for (int j = 0; j < LEN; j++)
			changed[j] = (uint8_t)(changed[j] * 7 + j + i);
		memcpy(source + (2 * i + 1) * LEN, changed, LEN);
	}
	memcpy(source + 4 * LEN, memory + EC_AT, ROWS * LEN);
	CHECK_OK(doca_ec_matrix_create_update(coder->ec, coding, updated, 2, &matrix));
	CHECK_OK(ec_update(coder, matrix, rig_source(&coder->rig, EC_BACK, (4 + ROWS) * LEN),
			   rig_room(&coder->rig, EC_AT + 8192, ROWS * LEN)));
	CHECK_OK(ec_create(coder, coding, rig_source(&coder->rig, CHANGED, K * LEN), rig_room(&coder->rig, EC_AT, ROWS * LEN)));
	CHECK(memcmp(memory + EC_AT, memory + EC_AT + 8192, ROWS * LEN) == 0);
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	CHECK_OK(doca_ec_matrix_destroy(coding));
}

/* Bytes of a matrix: the coefficients of data block 0 come first. */
static void from_raw(struct coder *coder)
{
	uint8_t bytes[] = { 1, 0, 3, /* data block 0 in three redundancy blocks */ 0, 1, 1 };
	uint8_t *memory = coder->rig.memory, *out = memory + EC_AT;
	struct doca_ec_matrix *matrix;

	CHECK_OK(doca_ec_matrix_create_from_raw(coder->ec, bytes, 2, 3, &matrix));
	CHECK_OK(ec_create(coder, matrix, rig_source(&coder->rig, 0, 128), rig_room(&coder->rig, EC_AT, 192)));
	CHECK(memcmp(out, memory, 64) == 0);
	CHECK(memcmp(out + 64, memory + 64, 64) == 0);
	for (int i = 0; i < 64; i++) {
		uint8_t twice = (uint8_t)(memory[i] << 1 ^ (memory[i] & 0x80 ? 0x1d : 0));

		CHECK_EQ(out[128 + i], twice ^ memory[i] ^ memory[64 + i]);
	}
	CHECK_OK(doca_ec_matrix_destroy(matrix));
}

/* Vandermonde: redundancy 0 is the sum of all blocks, redundancy 1 the sum of (i + 1) times block i. */
static void vandermonde(struct coder *coder)
{
	struct doca_ec_matrix *matrix = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_VANDERMONDE, 3, 2);
	uint8_t *memory = coder->rig.memory, *out = memory + EC_AT;

	CHECK_OK(ec_create(coder, matrix, rig_source(&coder->rig, 0, 192), rig_room(&coder->rig, EC_AT, 128)));
	for (int i = 0; i < 64; i++) {
		uint8_t b = memory[64 + i], c = memory[128 + i];
		uint8_t twice_b = (uint8_t)(b << 1 ^ (b & 0x80 ? 0x1d : 0)), twice_c = (uint8_t)(c << 1 ^ (c & 0x80 ? 0x1d : 0));

		CHECK_EQ(out[i], memory[i] ^ b ^ c);
		CHECK_EQ(out[64 + i], memory[i] ^ twice_b ^ twice_c ^ c);
	}
	CHECK_OK(doca_ec_matrix_destroy(matrix));
}

static void test(struct coder *coder)
{
	sizes(coder);
	appends(coder);
	update(coder, DOCA_EC_MATRIX_TYPE_CAUCHY);
	update(coder, DOCA_EC_MATRIX_TYPE_VANDERMONDE);
	from_raw(coder);
	vandermonde(coder);
}

int main(void)
{
	ec_require_isal();
	library = dlopen("libisal.so.2", RTLD_NOW);
	ec_in_both_modes(test, 1);
	dlclose(library);
	return 0;
}
