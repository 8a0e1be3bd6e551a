/* BlueField-2 has no AES-GCM; BlueField-3 has it on its own side only; the full profile has it on both sides. */
#include "aes_gcm.h"

#define CHECK_KIND(kind)                                                                                                   \
	do {                                                                                                               \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_is_supported(devinfo), expected);                               \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_is_tag_96_supported(devinfo), expected);                        \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_is_tag_128_supported(devinfo), expected);                       \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_is_key_type_supported(devinfo, DOCA_AES_GCM_KEY_128), expected); \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_is_key_type_supported(devinfo, DOCA_AES_GCM_KEY_256), expected); \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_get_max_iv_len(devinfo, &iv_len), expected);                    \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_get_max_buf_size(devinfo, &size), expected);                    \
		CHECK_ERROR(doca_aes_gcm_cap_task_##kind##_get_max_list_buf_num_elem(devinfo, &list_len), expected);       \
		CHECK(expected != DOCA_SUCCESS || (iv_len == 12 && size >= 1 << 20 && list_len > 1));                      \
	} while (0)

static void check_profile(const char *profile, const char *pci_addr, doca_error_t expected)
{
	const struct doca_devinfo *devinfo;
	struct doca_aes_gcm *aes;
	struct doca_dev *dev;
	uint32_t iv_len = 0, list_len = 0;
	uint64_t size = 0;

	CHECK_OK(softdpu_set_profile(profile));
	dev = rig_open_device(pci_addr);
	devinfo = doca_dev_as_devinfo(dev);
	CHECK_KIND(encrypt);
	CHECK_KIND(decrypt);
	CHECK_ERROR(doca_aes_gcm_create(dev, &aes), expected);
	if (expected == DOCA_SUCCESS)
		CHECK_OK(doca_aes_gcm_destroy(aes));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
}

/* BlueField-3 encrypts at most 2 MiB at once. */
static void longest_source(void)
{
	static const uint8_t iv[AES_IV] = "0123456789ab";
	struct aes_settings settings = { .iv = iv, .iv_len = AES_IV, .tag_size = 16 };
	struct sealer sealer;
	struct doca_buf *dst;
	uint64_t most;

	CHECK_OK(softdpu_set_profile("bluefield3"));
	aes_open(&sealer, 1);
	CHECK_OK(doca_aes_gcm_cap_task_encrypt_get_max_buf_size(doca_dev_as_devinfo(sealer.rig.dev), &most));
	settings.key = aes_key(&sealer, sealer.rig.memory, AES_KEY_256);
	for (uint64_t surplus = 0; surplus < 2; surplus++) {
		dst = rig_room(&sealer.rig, most + 1, most - 1); /* nearly the rest of the memory */
		CHECK_EQ(aes_encrypt(&sealer, rig_source(&sealer.rig, 0, most - 32 + surplus * 33), dst, &settings),
			 surplus ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS);
		rig_drop(dst);
	}
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
	aes_close(&sealer);
}

int main(void)
{
	check_profile("full", "0000:03:00.0", DOCA_SUCCESS);
	check_profile("full", "0000:81:00.0", DOCA_SUCCESS);
	check_profile("bluefield2", "0000:03:00.0", DOCA_ERROR_NOT_SUPPORTED);
	check_profile("bluefield2", "0000:81:00.0", DOCA_ERROR_NOT_SUPPORTED);
	check_profile("bluefield3", "0000:03:00.0", DOCA_SUCCESS);
	check_profile("bluefield3", "0000:81:00.0", DOCA_ERROR_NOT_SUPPORTED);
	longest_source();
	return 0;
}
