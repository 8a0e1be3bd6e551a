/*
 * Erasure coding that cannot succeed: illegal matrices, blocks and lists. A matrix can be destroyed while a task in flight uses
 * it. Faults, and a stop with tasks in flight.
 */
#include "ec.h"

enum { K = 4, ROWS = 2, LEN = 128, TASKS = 16 };

static struct doca_ec_matrix *coding;

static void fails(struct coder *coder, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_task *task = ec_alloc_create(coder, coding, src, dst);

	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(codec_wait(&coder->rig, task), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(codec_list_len(dst), 0);
	CHECK_EQ(rig_state(&coder->rig), DOCA_CTX_STATE_RUNNING);
	doca_task_free(task);
	rig_drop(src);
	rig_drop(dst);
}

static void bad_blocks(struct coder *coder)
{
	struct rig *rig = &coder->rig;
	uint32_t list_len;

	CHECK_OK(doca_ec_cap_get_max_buf_list_len(doca_dev_as_devinfo(rig->dev), &list_len));
	fails(coder, rig_room(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)); /* empty */
	fails(coder, rig_source(rig, 0, K * LEN + 1), rig_room(rig, EC_AT, 4096));
	fails(coder, rig_source(rig, 0, K * 32), rig_room(rig, EC_AT, 4096)); /* blocks of 32 bytes */
	fails(coder, rig_source(rig, 0, K * 96), rig_room(rig, EC_AT, 4096));
	fails(coder, rig_source(rig, 0, (K + 1) * LEN), rig_room(rig, EC_AT, 4096)); /* a surplus block (Q13) */
	fails(coder, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN - 1));
	fails(coder, codec_list(rig, 0, K * LEN, (int)list_len + 1, 1), rig_room(rig, EC_AT, 4096));
	fails(coder, rig_source(rig, 0, K * LEN), codec_list(rig, EC_AT, 4096, (int)list_len + 1, 0));
}

static void bad_matrices(struct coder *coder)
{
	uint32_t descending[] = { 2, 1 }, twice[] = { 1, 1 }, outside[] = { 1, K + ROWS }, redundancy[] = { K }, three[] = { 0, 1, 2 };
	struct doca_ec_matrix *matrix, *derived;
	uint8_t bytes[4] = { 1, 2, 3, 4 };

	CHECK_ERROR(doca_ec_matrix_create(coder->ec, (enum doca_ec_matrix_type)0, 1, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create(coder->ec, (enum doca_ec_matrix_type)3, 1, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create(coder->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 0, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create(coder->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 1, 0, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create(coder->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 200, 57, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create(coder->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, SIZE_MAX, 2, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_from_raw(coder->ec, bytes, 0, 4, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_ec_matrix_create(coder->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 200, 56, &matrix));
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, coding, descending, 2, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, coding, twice, 2, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, coding, outside, 2, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, coding, three, 3, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, coding, three, 0, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_update(coder->ec, coding, redundancy, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_update(coder->ec, coding, descending, 2, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_update(coder->ec, coding, three, 0, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_ec_matrix_create_recover(coder->ec, coding, three, 2, &derived));
	CHECK_ERROR(doca_ec_matrix_create_recover(coder->ec, derived, three, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ec_matrix_create_update(coder->ec, derived, three, 1, &matrix), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_ec_matrix_destroy(derived));
}

static void no_matrix(struct coder *coder)
{
	struct doca_buf *src = rig_source(&coder->rig, 0, K * LEN), *dst = rig_room(&coder->rig, EC_AT, ROWS * LEN);
	struct doca_task *task = ec_alloc_create(coder, coding, src, dst);

	doca_ec_task_create_set_coding_matrix((struct doca_ec_task_create *)task, NULL);
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(codec_wait(&coder->rig, task), DOCA_ERROR_IO_FAILED);
	doca_ec_task_create_set_coding_matrix((struct doca_ec_task_create *)task, coding);
	CHECK_EQ(codec_wait(&coder->rig, task), DOCA_SUCCESS);
	doca_task_free(task);
	rig_drop(src);
	rig_drop(dst);
}

/* Lists and matrix are released in flight (Q22); every fourth task is freed in flight. */
static void submit_all(struct coder *coder)
{
	coder->rig.keep_tasks = 0;
	coder->rig.completed = coder->rig.failed = 0;
	for (size_t i = 0; i < TASKS; i++) {
		struct doca_ec_matrix *matrix = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_CAUCHY, K, ROWS);
		struct doca_buf *src = rig_source(&coder->rig, i * 1024, K * LEN);
		struct doca_buf *dst = rig_room(&coder->rig, EC_AT + i * 1024, ROWS * LEN);
		struct doca_task *task = ec_alloc_create(coder, matrix, src, dst);

		CHECK_OK(doca_task_submit(task));
		CHECK_OK(doca_ec_matrix_destroy(matrix));
		rig_drop(src);
		rig_drop(dst);
		if (i % 4 == 0)
			doca_task_free(task);
	}
}

static void released_in_flight(struct coder *coder)
{
	submit_all(coder);
	RIG_PROGRESS_UNTIL(coder->rig.pe, rig_in_flight(&coder->rig) == 0);
	CHECK_EQ(coder->rig.completed, TASKS - TASKS / 4);
	submit_all(coder);
	rig_stop(&coder->rig);
	CHECK_EQ(coder->rig.completed + coder->rig.failed, TASKS - TASKS / 4);
	CHECK_OK(doca_ctx_start(coder->rig.ctx));
}

static void faults(struct coder *coder)
{
	static uint8_t right[ROWS * LEN];
	struct rig *rig = &coder->rig;
	int wrong = 0;

	CHECK_OK(ec_create(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)));
	memcpy(right, rig->memory + EC_AT, sizeof(right));
	CHECK_OK(softdpu_faults_set("ec-create:fail=TIME_OUT:nth=1; ec-create:corrupt:nth=2; ec-galois-mul:fail"));
	CHECK_EQ(ec_create(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)), DOCA_ERROR_TIME_OUT);
	CHECK_OK(ec_create(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)));
	for (size_t i = 0; i < sizeof(right); i++)
		wrong += __builtin_popcount(right[i] ^ rig->memory[EC_AT + i]);
	CHECK_EQ(wrong, 1);
	CHECK_EQ(ec_galois_mul(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)), DOCA_ERROR_IO_FAILED);
	CHECK_OK(softdpu_faults_set("ec-recover:fail=TIME_OUT; ec-update:fail=TIME_OUT"));
	CHECK_EQ(ec_recover(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)), DOCA_ERROR_TIME_OUT);
	CHECK_EQ(ec_update(coder, coding, rig_source(rig, 0, K * LEN), rig_room(rig, EC_AT, ROWS * LEN)), DOCA_ERROR_TIME_OUT);
	softdpu_faults_clear();
}

static void test(struct coder *coder)
{
	coding = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_CAUCHY, K, ROWS);
	bad_blocks(coder);
	bad_matrices(coder);
	no_matrix(coder);
	released_in_flight(coder);
	faults(coder);
	CHECK_ERROR(doca_ec_destroy(coder->ec), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ec_matrix_destroy(coding));
}

static void check_profile(const char *profile, doca_error_t expected)
{
	const struct doca_devinfo *devinfo;
	struct coder coder;
	uint64_t size = 0;
	uint32_t len = 0;

	CHECK_OK(softdpu_set_profile(profile));
	ec_create_context(&coder);
	devinfo = doca_dev_as_devinfo(coder.rig.dev);
	CHECK_ERROR(doca_ec_cap_task_create_is_supported(devinfo), expected);
	CHECK_ERROR(doca_ec_cap_task_recover_is_supported(devinfo), expected);
	CHECK_ERROR(doca_ec_cap_task_update_is_supported(devinfo), expected);
	CHECK_ERROR(doca_ec_cap_task_galois_mul_is_supported(devinfo), expected);
	CHECK_ERROR(doca_ec_cap_get_max_block_size(devinfo, &size), expected);
	CHECK_ERROR(doca_ec_cap_get_max_buf_list_len(devinfo, &len), expected);
	CHECK_ERROR(EC_CONFIGURE(&coder, create, 1), expected);
	CHECK(expected != DOCA_SUCCESS || (size >= 1 << 20 && len > 1));
	if (expected == DOCA_SUCCESS) {
		CHECK_OK(EC_CONFIGURE(&coder, create, 8000));
		CHECK_ERROR(EC_CONFIGURE(&coder, recover, 193), DOCA_ERROR_INVALID_VALUE);
	}
	ec_close(&coder);
}

/* BlueField-3 takes blocks of at most 2 MiB; the source of a task may be longer. */
static void longest_block(void)
{
	struct coder coder;
	uint64_t most;

	CHECK_OK(softdpu_set_profile("bluefield3"));
	ec_open(&coder, 1);
	CHECK_OK(doca_ec_cap_get_max_block_size(doca_dev_as_devinfo(coder.rig.dev), &most));
	coding = ec_matrix(&coder, DOCA_EC_MATRIX_TYPE_CAUCHY, 1, 1);
	CHECK_OK(ec_create(&coder, coding, rig_source(&coder.rig, 0, most), rig_room(&coder.rig, most, most)));
	fails(&coder, rig_source(&coder.rig, 0, most + 64), rig_room(&coder.rig, most, most));
	CHECK_OK(doca_ec_matrix_destroy(coding));
	coding = ec_matrix(&coder, DOCA_EC_MATRIX_TYPE_CAUCHY, 3, 1);
	CHECK_OK(ec_create(&coder, coding, rig_source(&coder.rig, 0, 3 << 20), rig_room(&coder.rig, 3 << 20, 1 << 20)));
	CHECK_OK(doca_ec_matrix_destroy(coding));
	ec_close(&coder);
}

int main(void)
{
	ec_require_isal();
	ec_in_both_modes(test, TASKS);
	check_profile("full", DOCA_SUCCESS);
	check_profile("bluefield2", DOCA_ERROR_NOT_SUPPORTED);
	check_profile("bluefield3", DOCA_SUCCESS);
	longest_block();
	return 0;
}
