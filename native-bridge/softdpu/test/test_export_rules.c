/* Conditions for exporting and importing a map, properties of the results, and the lifetime of descriptions. */
#include <string.h>

#include "doca_log.h"
#include "exporter.h"
#include "rendezvous.h"

static uint8_t memory[4096];
static struct doca_dev *dpu, *host, *host2;

static struct doca_mmap *make_map(uint32_t permissions)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, permissions));
	CHECK_OK(doca_mmap_add_dev(map, host));
	return map;
}

static void capabilities(void)
{
	uint8_t answer;

	CHECK_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(host), &answer));
	CHECK_EQ(answer, 1);
	CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(host), &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(dpu), &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(dpu), &answer));
	CHECK_EQ(answer, 1);
	CHECK_ERROR(doca_mmap_cap_is_export_pci_supported(NULL, &answer), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(dpu), NULL), DOCA_ERROR_INVALID_VALUE);
}

static void check_flags(const struct doca_mmap *map, uint8_t exported, uint8_t from_export)
{
	uint8_t answer;

	CHECK_OK(doca_mmap_get_exported(map, &answer));
	CHECK_EQ(answer, exported);
	CHECK_OK(doca_mmap_get_from_export(map, &answer));
	CHECK_EQ(answer, from_export);
}

static void exporting(void)
{
	static const uint32_t closed[] = { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
					   DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE };
	struct doca_mmap *map;
	const void *desc, *again, *other;
	size_t len, again_len;

	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		map = make_map(closed[i]);
		CHECK_OK(doca_mmap_start(map));
		CHECK_ERROR(doca_mmap_export_pci(map, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
		check_flags(map, 0, 0);
		CHECK_OK(doca_mmap_destroy(map));
	}
	map = make_map(DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_OK(doca_mmap_add_dev(map, host2));
	CHECK_ERROR(doca_mmap_export_pci(map, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* not started */
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_start(map));
	CHECK_ERROR(doca_mmap_export_pci(map, dpu, &desc, &len), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(doca_mmap_export_pci(NULL, host, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_export_pci(map, NULL, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_export_pci(map, host, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_export_pci(map, host, &desc, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	CHECK(len > 0 && len <= 4072); /* the limit of a message */
	check_flags(map, 1, 0);
	CHECK_OK(doca_mmap_export_pci(map, host, &again, &again_len));
	CHECK(again == desc && again_len == len);
	CHECK_OK(doca_mmap_export_pci(map, host2, &other, &len)); /* for several devices */
	CHECK(other != desc && memcmp(other, desc, len) != 0);
	CHECK_ERROR(doca_mmap_start(map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_add_dev(map, dpu), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_rm_dev(map, host2), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_set_permissions(map, 0), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_mmap_stop(map));
	check_flags(map, 0, 0);
	CHECK_ERROR(doca_mmap_export_pci(map, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	CHECK_OK(doca_mmap_destroy(map)); /* stops the map */

	map = make_map(DOCA_ACCESS_FLAG_RDMA_READ);
	CHECK_OK(doca_mmap_start(map));
	CHECK_ERROR(doca_mmap_export_pci(map, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_export_rdma(map, host, &desc, &len));
	CHECK_OK(doca_mmap_destroy(map));
}

static char line[512];
static int hints;

static void see_hint(char *buf)
{
	hints += strstr(buf, "SOFTDPU_ROLE") != NULL;
}

static void importing(void)
{
	struct doca_log_backend *backend;
	struct doca_mmap *map = make_map(DOCA_ACCESS_FLAG_PCI_READ_WRITE), *imported, *second;
	union doca_data data = { .u64 = 77 };
	uint8_t copy[256];
	const void *desc;
	void *addr;
	size_t len, range_len;

	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	memcpy(copy, desc, len); /* the bytes count, not their address */
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), see_hint, &backend));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, copy, len, host, &imported), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_EQ(hints, 1);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, NULL, len, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, copy, len, NULL, &imported), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, copy, len, dpu, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_create_from_export(&data, copy, len, dpu, &imported));
	CHECK_OK(doca_mmap_create_from_export(NULL, copy, len, dpu, &second));
	CHECK_ERROR(doca_dev_close(dpu), DOCA_ERROR_IN_USE);
	check_flags(imported, 0, 1);
	CHECK_OK(doca_mmap_get_memrange(imported, &addr, &range_len));
	CHECK(addr == memory && range_len == sizeof(memory));
	data.u64 = 0;
	CHECK_OK(doca_mmap_get_user_data(imported, &data));
	CHECK_EQ(data.u64, 77);
	CHECK_OK(doca_mmap_get_user_data(second, &data));
	CHECK_EQ(data.u64, 0);
	CHECK_ERROR(doca_mmap_start(imported), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_export_pci(imported, dpu, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_add_dev(imported, host), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_rm_dev(imported, dpu), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_set_memrange(imported, memory, 8), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_permissions(imported, 0), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_mmap_stop(imported));
	CHECK_ERROR(doca_mmap_start(imported), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_set_permissions(imported, 0), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_add_dev(imported, host), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_destroy(imported));

	CHECK_OK(doca_mmap_stop(map));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, copy, len, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, copy, len, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported));
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK_OK(doca_mmap_destroy(second));
	CHECK_OK(softdpu_faults_set("alloc-map:fail:nth=1"));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported), DOCA_ERROR_NO_MEMORY);
	softdpu_faults_clear();
	CHECK_OK(doca_mmap_destroy(map));
}

/* Imports from a process that stopped or destroyed its map, executes another program, or is dead. */
static void too_late(enum exporter_order order)
{
	struct exporter_message message;
	struct doca_mmap *imported;
	struct exporter exporter;

	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dpu, &imported));
	CHECK_OK(doca_mmap_destroy(imported));
	if (order == EXPORTER_EXEC) {
		exporter_send(&exporter, order, 0);
		exporter_receive(exporter.socket, &message);
	} else if (order == EXPORTER_QUIT) {
		exporter_kill(&exporter);
	} else {
		exporter_command(&exporter, order, 0);
	}
	CHECK_ERROR(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	if (order == EXPORTER_EXEC) {
		exporter_send(&exporter, EXPORTER_QUIT, 0);
		exporter_reap(&exporter);
	} else if (order != EXPORTER_QUIT) {
		exporter_quit(&exporter);
	}
}

/* The next exporter removes the files of killed exporters. */
static void nothing_piles_up(void)
{
	struct exporter exporter;

	for (int i = 0; i < 5; i++) {
		exporter_start(&exporter);
		exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
		CHECK_EQ(count_entries(getenv("SOFTDPU_DIR")), 2); /* socket and lock of this exporter */
		exporter_kill(&exporter);
	}
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	exporter_quit(&exporter);
}

int main(int argc, char **argv)
{
	exporter_main(argc, argv);
	exporter_folder();
	dpu = rig_open_device("03:00.0");
	host = rig_open_device("81:00.0");
	host2 = rig_open_device("81:00.1");
	capabilities();
	exporting();
	importing();
	too_late(EXPORTER_STOP);
	too_late(EXPORTER_DESTROY);
	too_late(EXPORTER_EXEC);
	too_late(EXPORTER_QUIT);
	nothing_piles_up();
	CHECK_OK(doca_dev_close(dpu));
	CHECK_OK(doca_dev_close(host));
	CHECK_OK(doca_dev_close(host2));
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
