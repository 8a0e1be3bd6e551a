/*
 * Memory, events and RDMA connections of a killed host: exports are void, connections end, ports accept no requests. The killed host does
 * not progress meanwhile. In both execution modes.
 */
#include "dma.h"
#include "rdma_manager.h"

enum { VICTIM = 7 };

static void exports_are_void(void)
{
	static uint8_t there[4096], here[4096];
	struct doca_mmap *exported, *local, *imported, *again;
	struct doca_dev *host = rig_open_device("81:00.0"), *dpu = rig_open_device("03:00.0");
	struct dma dma;
	struct doca_pe *pe;
	const void *desc;
	size_t len;

	softdpu_enter_host(VICTIM);
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_mmap_create(&exported));
	CHECK_OK(doca_mmap_set_memrange(exported, there, sizeof(there)));
	CHECK_OK(doca_mmap_set_permissions(exported, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(exported, host));
	CHECK_OK(doca_mmap_start(exported));
	CHECK_OK(doca_mmap_export_pci(exported, host, &desc, &len));
	softdpu_enter_host(0);
	dma_open(&dma, dpu, 4);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, here, sizeof(here)));
	CHECK_OK(doca_mmap_add_dev(local, dpu));
	CHECK_OK(doca_mmap_start(local));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported));
	memset(there, 1, sizeof(there));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, imported, there, sizeof(there)), dma_room(&dma, local, here, sizeof(here))));
	CHECK_EQ(here[0], 1);

	CHECK_OK(softdpu_kill_host(VICTIM));
	memset(there, 2, sizeof(there));
	CHECK_ERROR(dma_copy(&dma, dma_source(&dma, imported, there, sizeof(there)), dma_room(&dma, local, here, sizeof(here))),
		    DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(dma_copy(&dma, dma_source(&dma, local, here, sizeof(here)), dma_room(&dma, imported, there, sizeof(there))),
		    DOCA_ERROR_IO_FAILED);
	CHECK(here[0] == 1 && there[0] == 2);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, desc, len, dpu, &again), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(imported));

	CHECK_ERROR(doca_mmap_export_pci(exported, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_stop(exported)); /* the next export is a new one */
	CHECK_OK(doca_mmap_start(exported));
	CHECK_OK(doca_mmap_export_pci(exported, host, &desc, &len));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, imported, there, sizeof(there)), dma_room(&dma, local, here, sizeof(here))));
	CHECK_OK(doca_mmap_destroy(imported));
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_mmap_destroy(exported));
	CHECK_OK(doca_pe_destroy(pe));
	CHECK_OK(doca_dev_close(host));
	CHECK_OK(doca_dev_close(dpu));
	rig_check_nothing_is_left();
}

/* An import of an event of the victim fails, and does not find its last value either. */
static void events_are_void(void)
{
	struct doca_dev *host = rig_open_device("81:00.0"), *dpu = rig_open_device("03:00.0");
	struct doca_sync_event *event, *imported;
	struct doca_pe *pe;
	const uint8_t *desc;
	uint64_t value;
	size_t len;

	softdpu_enter_host(VICTIM);
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, host));
	CHECK_OK(doca_sync_event_add_subscriber_location_remote_pci(event));
	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_export_to_remote_pci(event, host, &desc, &len));
	softdpu_enter_host(0);
	CHECK_OK(doca_sync_event_create_from_export(dpu, desc, len, &imported));
	CHECK_OK(doca_sync_event_start(imported));
	CHECK_OK(doca_sync_event_update_set(event, 5));
	CHECK_OK(doca_sync_event_get(imported, &value));
	CHECK_EQ(value, 5);
	CHECK_OK(softdpu_kill_host(VICTIM));
	CHECK(doca_sync_event_get(imported, &value) != DOCA_SUCCESS);
	CHECK(doca_sync_event_update_set(imported, 6) != DOCA_SUCCESS);
	CHECK_ERROR(doca_sync_event_export_to_remote_pci(event, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_sync_event_stop(event)); /* publishes no value */
	CHECK_OK(doca_sync_event_destroy(event));
	CHECK(doca_sync_event_get(imported, &value) != DOCA_SUCCESS);
	CHECK_OK(doca_sync_event_stop(imported));
	CHECK_OK(doca_sync_event_destroy(imported));
	CHECK_OK(doca_pe_destroy(pe));
	CHECK_OK(doca_dev_close(host));
	CHECK_OK(doca_dev_close(dpu));
	rig_check_nothing_is_left();
}

/* Opens an RDMA client, and a server on the victim. */
static void open_rdma(void)
{
	memset(&pair, 0, sizeof(pair));
	memset(&client, 0, sizeof(client));
	memset(&server, 0, sizeof(server));
	open_side(&pair.requester, "03:00.0");
	softdpu_enter_host(VICTIM);
	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
	pair.remote = rdma_import(&pair);
	softdpu_enter_host(0);
}

static void rdma_is_killed(void)
{
	struct doca_rdma_addr *addr;
	union doca_data data = { 0 };

	open_rdma();
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	connect_pair(addr);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 1, 0, 100));
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 1); /* waits for a receive task */
	rdma_post(&pair.requester, NULL, 2);
	CHECK_OK(softdpu_kill_host(VICTIM));
	RIG_PROGRESS_UNTIL(pair.requester.pe, client.disconnects == 1 && pair.requester.failed == 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 0, 0, 100), DOCA_ERROR_IO_FAILED);
	if (doca_rdma_connect_to_addr(pair.requester.rdma, addr, data) == DOCA_SUCCESS)
		RIG_PROGRESS_UNTIL(pair.requester.pe, client.failures == 1);
	CHECK_EQ(server.disconnects, 0);
	CHECK_EQ(rdma_state(&pair.responder), DOCA_CTX_STATE_RUNNING);
	CHECK_OK(doca_rdma_stop_listen_to_port(pair.responder.rdma, port)); /* of the dead host: no effect */
	RIG_PROGRESS_UNTIL(pair.responder.pe, rdma_state(&pair.responder) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(server.requests, 1);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_pair_close(&pair);
}

static void all(void)
{
	exports_are_void();
	events_are_void();
	rdma_is_killed();
}

int main(void)
{
	make_own_folder();
	all();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	for (uint64_t seed = 1; seed <= 20; seed++) {
		CHECK_OK(softdpu_set_seed(seed));
		all();
	}
	remove_own_folder();
	return 0;
}
