/* Failed creations of each kind of object, and failed starts of contexts: no object is left, and the next call succeeds. */
#include "comch_data.h"
#include "doca_aes_gcm.h"
#include "doca_buf_pool.h"
#include "doca_dma.h"
#include "doca_graph.h"
#include "doca_mmap_advise.h"
#include "doca_rdma.h"
#include "doca_sha.h"
#include "doca_sync_event.h"
#include "ec.h"

static struct doca_dev *dev;

/* Defines a function that creates an object of a type and destroys it. */
#define OBJECT(name, type, create, destroy)                \
	static doca_error_t name(void)                     \
	{                                                  \
		struct type *created;                      \
		doca_error_t result = create;              \
		if (result == DOCA_SUCCESS)                \
			CHECK_OK(destroy(created));        \
		return result;                             \
	}
#define CONTEXT(library) OBJECT(library, doca_##library, doca_##library##_create(dev, &created), doca_##library##_destroy)

OBJECT(engine, doca_pe, doca_pe_create(&created), doca_pe_destroy)
OBJECT(inventory, doca_buf_inventory, doca_buf_inventory_create(1, &created), doca_buf_inventory_destroy)
OBJECT(sync_event, doca_sync_event, doca_sync_event_create(&created), doca_sync_event_destroy)
CONTEXT(compress)
CONTEXT(dma)
CONTEXT(sha)
CONTEXT(aes_gcm)
CONTEXT(rdma)
CONTEXT(mmap_advise)

static doca_error_t pool(void)
{
	struct doca_buf_pool *created;
	struct doca_mmap *map;
	doca_error_t result;

	CHECK_OK(doca_mmap_create(&map));
	result = doca_buf_pool_create(1, 8, map, &created);
	if (result == DOCA_SUCCESS)
		CHECK_OK(doca_buf_pool_destroy(created));
	CHECK_OK(doca_mmap_destroy(map));
	return result;
}

static doca_error_t client(void)
{
	struct doca_dev *host = rig_open_device("81:00.0");
	struct doca_comch_client *created;
	doca_error_t result = doca_comch_client_create(host, "fault", &created);

	if (result == DOCA_SUCCESS)
		CHECK_OK(doca_comch_client_destroy(created));
	CHECK_OK(doca_dev_close(host));
	return result;
}

static doca_error_t server(void)
{
	struct doca_dev_rep *rep = side_open_representor(dev, "81:00.0");
	struct doca_comch_server *created;
	doca_error_t result = doca_comch_server_create(dev, rep, "fault", &created);

	if (result == DOCA_SUCCESS)
		CHECK_OK(doca_comch_server_destroy(created));
	CHECK_OK(doca_dev_rep_close(rep));
	return result;
}

static doca_error_t graph(void)
{
	struct doca_pe *pe;
	struct doca_graph *created;
	doca_error_t result;

	CHECK_OK(doca_pe_create(&pe));
	result = doca_graph_create(pe, &created);
	if (result == DOCA_SUCCESS)
		CHECK_OK(doca_graph_destroy(created));
	CHECK_OK(doca_pe_destroy(pe));
	return result;
}

static doca_error_t start(void)
{
	struct doca_pe *pe;
	struct doca_rdma *rdma;
	doca_error_t result;

	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_rdma_create(dev, &rdma));
	CHECK_OK(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
	result = doca_ctx_start(doca_rdma_as_ctx(rdma));
	if (result == DOCA_SUCCESS)
		CHECK_OK(doca_ctx_stop(doca_rdma_as_ctx(rdma)));
	CHECK_OK(doca_rdma_destroy(rdma));
	CHECK_OK(doca_pe_destroy(pe));
	return result;
}

static const struct {
	const char *kind;
	doca_error_t (*create)(void);		/* creates one object, and destroys it */
} calls[] = {
	{ "alloc-engine", engine },
	{ "alloc-pool", inventory },
	{ "alloc-pool", pool },
	{ "alloc-context", compress },
	{ "alloc-context", dma },
	{ "alloc-context", sha },
	{ "alloc-context", aes_gcm },
	{ "alloc-context", rdma },
	{ "alloc-context", mmap_advise },
	{ "alloc-context", graph },
	{ "alloc-context", sync_event },
	{ "alloc-context", client },
	{ "alloc-context", server },
	{ "alloc-start", start },
};

static void fail_each_call(void)
{
	char plan[64];

	dev = rig_open_device("03:00.0");
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		snprintf(plan, sizeof(plan), "%s:fail:nth=1", calls[i].kind);
		CHECK_OK(softdpu_faults_set(plan));
		CHECK_ERROR(calls[i].create(), DOCA_ERROR_NO_MEMORY);
		CHECK_OK(calls[i].create());
		snprintf(plan, sizeof(plan), "*:fail ; %s:fail=DRIVER:nth=2", calls[i].kind);
		CHECK_OK(softdpu_faults_set(plan));
		CHECK_OK(calls[i].create());
		CHECK_ERROR(calls[i].create(), DOCA_ERROR_DRIVER);
	}
	CHECK_OK(softdpu_faults_set(""));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
}

/* A connection survives a failed consumer and a failed producer. */
static void fail_data_paths(void)
{
	static struct side here, there;
	static uint8_t memory[4096];
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_mmap *map;

	sides_open(&here, &there, "fault");
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, there.dev));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(softdpu_faults_set("alloc-context:fail:first=2"));
	CHECK_ERROR(doca_comch_consumer_create(there.connection, map, &consumer), DOCA_ERROR_NO_MEMORY);
	CHECK_ERROR(doca_comch_producer_create(there.connection, &producer), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_comch_consumer_create(there.connection, map, &consumer));
	CHECK_OK(doca_comch_producer_create(there.connection, &producer));
	CHECK_OK(doca_comch_consumer_destroy(consumer));
	CHECK_OK(doca_comch_producer_destroy(producer));
	CHECK_OK(softdpu_faults_set(""));
	CHECK_OK(doca_mmap_destroy(map));
	sides_close(&here, &there);
}

static void fail_matrices(void)
{
	static struct coder coder;
	struct doca_ec_matrix *coding, *matrix;
	uint32_t block[] = { 1 };
	uint8_t raw[2] = { 1, 1 };

	ec_open(&coder, 1);
	CHECK_OK(softdpu_faults_set("alloc-matrix:fail:every=2"));
	CHECK_OK(doca_ec_matrix_create(coder.ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 2, 1, &coding));
	CHECK_ERROR(doca_ec_matrix_create_from_raw(coder.ec, raw, 2, 1, &matrix), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_ec_matrix_create_from_raw(coder.ec, raw, 2, 1, &matrix));
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	CHECK_ERROR(doca_ec_matrix_create_recover(coder.ec, coding, block, 1, &matrix), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_ec_matrix_create_recover(coder.ec, coding, block, 1, &matrix));
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	CHECK_ERROR(doca_ec_matrix_create_update(coder.ec, coding, block, 1, &matrix), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(softdpu_faults_set(""));
	CHECK_OK(doca_ec_matrix_destroy(coding));
	ec_close(&coder);
}

int main(void)
{
	fail_each_call();
	fail_data_paths();
	ec_require_isal();
	fail_matrices();
	return 0;
}
