/* Settings are read from the environment and change only while no context is started. */
#include "rig.h"

static void setters_answer(doca_error_t expected)
{
	CHECK_ERROR(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE), expected);
	CHECK_ERROR(softdpu_set_seed(5), expected);
	CHECK_ERROR(softdpu_set_threads(2), expected);
	CHECK_ERROR(softdpu_set_null(0), expected);
	CHECK_ERROR(softdpu_set_deflate_level(3), expected);
	CHECK_ERROR(softdpu_set_profile("full"), expected);
}

static int64_t hardware_threads(void)
{
	struct softdpu_census census;

	softdpu_census(&census);
	return census.hardware_threads;
}

/* The process has one pool of threads, from the first start to the last stop. */
static void threads_come_and_go(struct rig *rig)
{
	struct rig other = *rig;

	CHECK_EQ(hardware_threads(), 0);
	CHECK_OK(doca_ctx_start(rig->ctx));
	CHECK_EQ(hardware_threads(), 3);
	rig_create_context(&other);
	CHECK_OK(RIG_CONFIGURE(&other, compress_deflate, 1));
	CHECK_OK(doca_ctx_start(other.ctx));
	CHECK_EQ(hardware_threads(), 3);
	CHECK_OK(doca_ctx_stop(rig->ctx));
	CHECK_EQ(hardware_threads(), 3);
	setters_answer(DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_stop(other.ctx));
	CHECK_EQ(hardware_threads(), 0);
	CHECK_OK(doca_compress_destroy(other.compress));
}

/* Tasks succeed without work: no memory is written, results are 0. */
static void null_device(enum softdpu_execution execution)
{
	struct rig rig;
	struct doca_task *task;

	CHECK_OK(softdpu_set_execution(execution));
	CHECK_OK(softdpu_set_null(1));
	CHECK_EQ(softdpu_get_null(), 1);
	rig_open(&rig, 4);
	rig.keep_tasks = 1;
	CHECK_OK(doca_ctx_start(rig.ctx));
	memset(rig.memory + 512, 0x77, 512);
	CHECK_OK(rig_alloc(&rig, 0, &task));
	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 1);
	CHECK_EQ(rig.memory[512], 0x77);
	CHECK_EQ(doca_compress_task_compress_deflate_get_crc_cs((struct doca_compress_task_compress_deflate *)task), 0);
	doca_task_free(task);
	rig_drop_buffers(task);
	rig_close(&rig);
	CHECK_OK(softdpu_set_null(0));
}

/* No function of the control interface reads or writes through NULL. */
static void null_arguments(void)
{
	CHECK_ERROR(softdpu_set_profile(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_quirks_set(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_faults_set(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_comch_client_get_failure(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(softdpu_faults_set("*:fail;*:again"));
	CHECK_EQ(softdpu_faults_get_fired(NULL, 2), 2);
	softdpu_faults_get_counters(NULL);
	softdpu_faults_clear();
	softdpu_census(NULL);
}

int main(void)
{
	struct rig rig;

	setenv("SOFTDPU_THREADS", "3", 1);
	setenv("SOFTDPU_SEED", "0x10", 1);
	setenv("SOFTDPU_DEFLATE_LEVEL", "010", 1);
	setenv("SOFTDPU_PROFILE", "bluefield2", 1);
	setenv("SOFTDPU_EXECUTION", "threads", 1);
	CHECK(softdpu_version()[0] != '\0');
	CHECK_EQ(softdpu_get_threads(), 3);
	CHECK_EQ(softdpu_get_seed(), 16);
	CHECK_EQ(softdpu_get_deflate_level(), 10);
	CHECK_EQ(softdpu_get_execution(), SOFTDPU_EXECUTION_THREADS);
	CHECK(strcmp(softdpu_get_profile(), "bluefield2") == 0);
	rig_open(&rig, 1);
	threads_come_and_go(&rig);
	rig_close(&rig);
	setters_answer(DOCA_SUCCESS);
	CHECK_ERROR(softdpu_set_execution((enum softdpu_execution)9), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_set_threads(0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_set_threads(65), DOCA_ERROR_INVALID_VALUE);
	null_arguments();
	null_device(SOFTDPU_EXECUTION_THREADS);
	null_device(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
