/* An erasure coding context on an engine, and single tasks through it. Blocks are in the memory of the rig. */
#ifndef EC_H
#define EC_H

#include <dlfcn.h>

#include "codec.h"
#include "doca_erasure_coding.h"

enum { EC_AT = 2 << 20, EC_BACK = 3 << 20, EC_LEAST = 64 };

struct coder {
	struct rig rig;
	struct doca_ec *ec;
};

#define EC_CALLBACK(kind, name) ((doca_ec_task_##kind##_completion_cb_t)(void (*)(void))(name))
#define EC_CONFIGURE(coder, kind, num_tasks)                                                                              \
	doca_ec_task_##kind##_set_conf((coder)->ec, EC_CALLBACK(kind, rig_completed), EC_CALLBACK(kind, rig_failed), num_tasks)

/* Skips the test if ISA-L is not installed. */
RIG void ec_require_isal(void)
{
	void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		SKIP("no libisal.so.2 (install libisal2)");
	dlclose(library);
}

/* Opens everything except the start, without tasks. */
RIG void ec_create_context(struct coder *coder)
{
	rig_open(&coder->rig, 0);
	CHECK_OK(doca_ec_create(coder->rig.dev, &coder->ec));
	rig_replace_context(&coder->rig, doca_ec_as_ctx(coder->ec));
}

/* Opens and starts a context with num_tasks tasks of each kind. */
RIG void ec_open(struct coder *coder, uint32_t num_tasks)
{
	ec_create_context(coder);
	CHECK_OK(EC_CONFIGURE(coder, create, num_tasks));
	CHECK_OK(EC_CONFIGURE(coder, recover, num_tasks));
	CHECK_OK(EC_CONFIGURE(coder, update, num_tasks));
	CHECK_OK(EC_CONFIGURE(coder, galois_mul, num_tasks));
	CHECK_OK(doca_ctx_start(coder->rig.ctx));
}

RIG void ec_close(struct coder *coder)
{
	rig_stop(&coder->rig);
	CHECK_OK(doca_ec_destroy(coder->ec));
	rig_close_rest(&coder->rig);
}

#define EC_RUN(kind, get_matrix, get_src, get_dst)                                                                         \
	RIG struct doca_task *ec_alloc_##kind(struct coder *coder, const struct doca_ec_matrix *matrix,                    \
					      struct doca_buf *src, struct doca_buf *dst)                                  \
	{                                                                                                                  \
		struct doca_ec_task_##kind *task;                                                                          \
		union doca_data none = { 0 };                                                                              \
		CHECK_OK(doca_ec_task_##kind##_allocate_init(coder->ec, matrix, src, dst, none, &task));                   \
		CHECK(doca_ec_task_##kind##_##get_matrix(task) == matrix);                                                 \
		CHECK(doca_ec_task_##kind##_##get_src(task) == src && doca_ec_task_##kind##_##get_dst(task) == dst);       \
		return doca_ec_task_##kind##_as_task(task);                                                                \
	}                                                                                                                  \
	/* Runs one task, and releases both lists. */                                                                      \
	RIG doca_error_t ec_##kind(struct coder *coder, const struct doca_ec_matrix *matrix, struct doca_buf *src,         \
				   struct doca_buf *dst)                                                                   \
	{                                                                                                                  \
		struct doca_task *task = ec_alloc_##kind(coder, matrix, src, dst);                                         \
		doca_error_t status = codec_wait(&coder->rig, task);                                                       \
		doca_task_free(task);                                                                                      \
		rig_drop(src);                                                                                             \
		rig_drop(dst);                                                                                             \
		return status;                                                                                             \
	}

EC_RUN(create, get_coding_matrix, get_original_data_blocks, get_rdnc_blocks)
EC_RUN(recover, get_recover_matrix, get_available_blocks, get_recovered_data)
EC_RUN(update, get_update_matrix, get_original_updated_and_rdnc_blocks, get_updated_rdnc_blocks)
EC_RUN(galois_mul, get_coding_matrix, get_src_buf, get_dst_buf)

RIG struct doca_ec_matrix *ec_matrix(struct coder *coder, enum doca_ec_matrix_type type, size_t data, size_t rdnc)
{
	struct doca_ec_matrix *matrix;

	CHECK_OK(doca_ec_matrix_create(coder->ec, type, data, rdnc, &matrix));
	return matrix;
}

/* Runs a test with hardware threads, then in inline execution. */
RIG void ec_in_both_modes(void (*test)(struct coder *coder), uint32_t num_tasks)
{
	static const enum softdpu_execution modes[] = { SOFTDPU_EXECUTION_THREADS, SOFTDPU_EXECUTION_INLINE };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct coder coder;

		CHECK_OK(softdpu_set_execution(modes[i]));
		ec_open(&coder, num_tasks);
		test(&coder);
		softdpu_faults_clear();
		ec_close(&coder);
	}
}

#endif
