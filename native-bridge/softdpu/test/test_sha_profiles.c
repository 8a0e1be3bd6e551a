/* BlueField-3 has no SHA; BlueField-2 and the full profile have it on both sides. A limit of the profile is enforced. */
#include "sha.h"

static void check_profile(const char *profile, const char *pci_addr, doca_error_t expected)
{
	struct hasher hasher;
	const struct doca_devinfo *devinfo;
	struct doca_dev *dev;
	uint64_t size = 0;
	uint32_t len = 0;

	CHECK_OK(softdpu_set_profile(profile));
	sha_create(&hasher);
	dev = rig_open_device(pci_addr);
	devinfo = doca_dev_as_devinfo(dev);
	for (int i = 0; i < SHA_ALGORITHMS; i++) {
		enum doca_sha_algorithm algorithm = (enum doca_sha_algorithm)i;

		CHECK_ERROR(doca_sha_cap_task_hash_get_supported(devinfo, algorithm), expected);
		CHECK_ERROR(doca_sha_cap_task_partial_hash_get_supported(devinfo, algorithm), expected);
		CHECK_ERROR(doca_sha_cap_get_min_dst_buf_size(devinfo, algorithm, &len), expected);
		CHECK_ERROR(doca_sha_cap_get_partial_hash_block_size(devinfo, algorithm, &len), expected);
	}
	CHECK_ERROR(doca_sha_cap_get_max_src_buf_size(devinfo, &size), expected);
	CHECK_ERROR(doca_sha_cap_get_max_list_buf_num_elem(devinfo, &len), expected);
	CHECK(expected != DOCA_SUCCESS || (size >= 1 << 20 && len > 1));
	CHECK_ERROR(SHA_CONFIGURE(&hasher, hash, 0), expected);
	CHECK_ERROR(SHA_CONFIGURE(&hasher, partial_hash, 0), expected);
	CHECK_OK(doca_dev_close(dev));
	sha_close(&hasher);
}

/* BlueField-2 hashes at most 2 MiB at once. */
static void longest_source(void)
{
	struct hasher hasher;
	struct doca_buf *dst;
	uint8_t digest[SHA_MAX_DIGEST];
	uint64_t most;

	CHECK_OK(softdpu_set_profile("bluefield2"));
	sha_open(&hasher, 0);
	CHECK_OK(doca_sha_cap_get_max_src_buf_size(doca_dev_as_devinfo(hasher.rig.dev), &most));
	sha_digest(&hasher, DOCA_SHA_ALGORITHM_SHA1, 0, most, digest);
	dst = rig_room(&hasher.rig, SHA_AT, SHA_MAX_DIGEST);
	CHECK_EQ(sha_hash(&hasher, DOCA_SHA_ALGORITHM_SHA1, rig_source(&hasher.rig, 0, most + 1), dst), DOCA_ERROR_IO_FAILED);
	rig_drop(dst);
	sha_close(&hasher);
}

int main(void)
{
	check_profile("full", "0000:03:00.0", DOCA_SUCCESS);
	check_profile("full", "0000:81:00.0", DOCA_SUCCESS);
	check_profile("bluefield2", "0000:03:00.0", DOCA_SUCCESS);
	check_profile("bluefield2", "0000:81:00.0", DOCA_SUCCESS);
	check_profile("bluefield3", "0000:03:00.0", DOCA_ERROR_NOT_SUPPORTED);
	check_profile("bluefield3", "0000:81:00.0", DOCA_ERROR_NOT_SUPPORTED);
	longest_source();
	return 0;
}
