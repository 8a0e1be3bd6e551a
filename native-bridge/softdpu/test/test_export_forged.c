/*
 * Descriptions that were damaged, truncated, or forged with a correct check value are refused. No importer gets more memory,
 * more rights or another export than the exporter granted.
 */
#include <stddef.h>

#include "export_desc.h"
#include "exporter.h"
#include "sd_random.h"

enum { ROUNDS = 20000 };

static struct doca_dev *dpu;

static void refuse(const void *desc, size_t len)
{
	struct doca_mmap *imported;

	CHECK_ERROR(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
}

/* Computes the check value, as any attacker can. */
static void sign(struct export_desc *desc)
{
	const uint8_t *bytes = (const uint8_t *)desc;

	desc->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct export_desc, check); i++)
		desc->check = (desc->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void damaged(const uint8_t *desc, size_t len)
{
	uint8_t copy[512];
	uint64_t random = 7;

	for (size_t i = 0; i < len; i++) {
		for (int change = 1; change < 256; change++) {
			memcpy(copy, desc, len);
			copy[i] ^= (uint8_t)change;
			refuse(copy, len);
		}
	}
	for (size_t cut = 1; cut < len; cut++)
		refuse(desc, cut);
	memcpy(copy, desc, len);
	for (size_t longer = len + 1; longer < sizeof(copy); longer++)
		refuse(copy, longer);
	for (int round = 0; round < ROUNDS; round++) {
		memcpy(copy, desc, len);
		for (uint64_t n = sd_random_next(&random) % 8; n > 0; n--)
			copy[sd_random_next(&random) % len] ^= (uint8_t)(1 + sd_random_next(&random) % 255);
		if (memcmp(copy, desc, len) != 0)
			refuse(copy, len);
	}
	memset(copy, 0, sizeof(copy));
	refuse(copy, len);
}

static struct export_desc read_desc(const void *bytes)
{
	struct export_desc desc;

	memcpy(&desc, bytes, sizeof(desc));
	return desc;
}

#define FORGE(bytes, change)                                        \
	do {                                                        \
		struct export_desc forged = read_desc(bytes);       \
		forged.change;                                      \
		sign(&forged);                                      \
		refuse(&forged, sizeof(forged));                    \
	} while (0)

static void forged(const void *bytes, uint8_t is_foreign)
{
	struct export_desc same = read_desc(bytes);
	struct doca_mmap *imported;

	sign(&same);
	CHECK(memcmp(&same, bytes, sizeof(same)) == 0); /* so that later refusals have the right reason */
	FORGE(bytes, len += 1);
	FORGE(bytes, len -= 1);
	FORGE(bytes, len = SIZE_MAX);
	FORGE(bytes, len = 0);
	FORGE(bytes, addr += 1);
	FORGE(bytes, addr -= 4096);
	FORGE(bytes, addr = 0);
	FORGE(bytes, permissions |= DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	FORGE(bytes, permissions = UINT32_MAX);
	FORGE(bytes, generation += 1);
	FORGE(bytes, generation -= 1);
	FORGE(bytes, slot += 1);
	FORGE(bytes, slot = UINT32_MAX);
	FORGE(bytes, uid += 1); /* another user */
	FORGE(bytes, cookie += 1);
	FORGE(bytes, start_time += 1);
	FORGE(bytes, pid = 0);
	FORGE(bytes, pid = 1);
	FORGE(bytes, pid = UINT32_MAX);
	FORGE(bytes, pid = is_foreign ? (uint32_t)getpid() : (uint32_t)getppid());
	FORGE(bytes, kind += 2);
	FORGE(bytes, version += 1);
	FORGE(bytes, size += 1);
	/* The original is still valid. */
	CHECK_OK(doca_mmap_create_from_export(NULL, bytes, sizeof(same), dpu, &imported));
	CHECK_OK(doca_mmap_destroy(imported));
}

int main(int argc, char **argv)
{
	struct exporter_message message = { .permissions = DOCA_ACCESS_FLAG_PCI_READ_ONLY };
	struct exporter_state own = { 0 };
	struct exporter exporter;

	exporter_main(argc, argv);
	exporter_folder();
	dpu = rig_open_device("03:00.0");
	own.dev = rig_open_device("81:00.0");
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	exporter_export(&own, &message);
	CHECK_EQ(exporter.desc_len, sizeof(struct export_desc));
	forged(exporter.desc, 1);
	forged(message.desc, 0);
	damaged(exporter.desc, exporter.desc_len);
	damaged(message.desc, message.desc_len);
	exporter_destroy(&own);
	exporter_quit(&exporter);
	CHECK_OK(doca_dev_close(own.dev));
	CHECK_OK(doca_dev_close(dpu));
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
