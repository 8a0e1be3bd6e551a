/* A typical program for an installed SDK: two contexts connect, and one writes a text into memory of the other. */
#include <doca_bitfield.h>
#include <doca_rdma.h>

#include "outside.h"

enum { AREA_LEN = 4096 };

struct side {
	char area[AREA_LEN];
	struct doca_mmap *mmap;
	struct doca_rdma *rdma;
	struct doca_rdma_connection *connection;
	const void *details;
	size_t details_len;
};

static struct side requester, responder;
static const doca_be32_t immediate = DOCA_HTOBE32(0x01020304); /* a constant */

/* Network order is the order of the bytes in memory. */
static int order_is_wrong(void)
{
	static const unsigned char bytes[] = { 1, 2, 3, 4 };

	return memcmp(&immediate, bytes, sizeof(bytes)) != 0 || DOCA_BETOH32(immediate) != 0x01020304 ||
	       DOCA_HTOBE16(0x0102) != htons(0x0102) || DOCA_BETOH16(htons(7)) != 7 || DOCA_BETOH64(DOCA_HTOBE64(5)) != 5;
}

static void written(struct doca_rdma_task_write *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_rdma_task_write_as_task(task)));
	doca_task_free(doca_rdma_task_write_as_task(task));
	num_done++;
}

static int supports(const struct doca_devinfo *devinfo)
{
	return doca_rdma_cap_task_write_is_supported(devinfo) == DOCA_SUCCESS;
}

static void open_side(struct side *side, struct doca_dev *dev, struct doca_pe *pe)
{
	MUST(doca_mmap_create(&side->mmap));
	MUST(doca_mmap_set_memrange(side->mmap, side->area, AREA_LEN));
	MUST(doca_mmap_add_dev(side->mmap, dev));
	MUST(doca_mmap_set_permissions(side->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE));
	MUST(doca_mmap_start(side->mmap));
	MUST(doca_rdma_create(dev, &side->rdma));
	MUST(doca_rdma_set_permissions(side->rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE));
	MUST(doca_rdma_task_write_set_conf(side->rdma, written, written, 1));
	MUST(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(side->rdma)));
	MUST(doca_ctx_start(doca_rdma_as_ctx(side->rdma)));
	MUST(doca_rdma_export(side->rdma, &side->details, &side->details_len, &side->connection));
}

static void close_side(struct side *side)
{
	MUST(doca_ctx_stop(doca_rdma_as_ctx(side->rdma)));
	MUST(doca_rdma_destroy(side->rdma));
	MUST(doca_mmap_destroy(side->mmap));
}

int main(void)
{
	struct doca_buf_inventory *inventory;
	struct doca_rdma_task_write *task;
	union doca_data none = { 0 };
	struct doca_buf *src, *dst;
	struct doca_mmap *remote;
	struct doca_dev *dev;
	struct doca_pe *pe;
	const void *desc;
	size_t len;

	MUST(doca_log_backend_create_standard());
	if (order_is_wrong())
		return EXIT_FAILURE;
	dev = open_device(supports);
	MUST(doca_pe_create(&pe));
	open_side(&requester, dev, pe);
	open_side(&responder, dev, pe);
	MUST(doca_rdma_connect(requester.rdma, responder.details, responder.details_len, requester.connection));
	MUST(doca_rdma_connect(responder.rdma, requester.details, requester.details_len, responder.connection));
	MUST(doca_mmap_export_rdma(responder.mmap, dev, &desc, &len));
	MUST(doca_mmap_create_from_export(NULL, desc, len, dev, &remote));
	MUST(doca_buf_inventory_create(2, &inventory));
	MUST(doca_buf_inventory_start(inventory));

	strcpy(requester.area, "written from afar");
	MUST(doca_buf_inventory_buf_get_by_data(inventory, requester.mmap, requester.area, strlen(requester.area) + 1, &src));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, remote, responder.area, AREA_LEN, &dst));
	MUST(doca_rdma_task_write_allocate_init(requester.rdma, requester.connection, src, dst, none, &task));
	MUST(doca_task_submit(doca_rdma_task_write_as_task(task)));
	wait_for(pe, 1);
	if (strcmp(responder.area, "written from afar") != 0)
		return EXIT_FAILURE;

	MUST(doca_buf_dec_refcount(src, NULL));
	MUST(doca_buf_dec_refcount(dst, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(remote));
	close_side(&requester);
	close_side(&responder);
	MUST(doca_pe_destroy(pe));
	MUST(doca_dev_close(dev));
	return EXIT_SUCCESS;
}
