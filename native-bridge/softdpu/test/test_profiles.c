/* The profile sets the capabilities and limits of the card: capability calls report them, and set_conf enforces them. */
#include "rig.h"

struct expected {
	const char *profile;
	uint8_t compress_deflate, decompress_deflate, decompress_lz4_block, decompress_lz4_stream;
};

#define CHECK_KIND(kind)                                                                                               \
	do {                                                                                                           \
		doca_error_t kind_result = expected->kind ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;                   \
		CHECK_ERROR(doca_compress_cap_task_##kind##_is_supported(devinfo), kind_result);                       \
		CHECK_ERROR(doca_compress_cap_task_##kind##_get_max_buf_size(devinfo, &size), kind_result);            \
		CHECK_ERROR(doca_compress_cap_task_##kind##_get_max_buf_list_len(devinfo, &len), kind_result);         \
		CHECK_ERROR(RIG_CONFIGURE(&rig, kind, 1), kind_result);                                                \
		CHECK(!expected->kind || (size >= 1 << 20 && len >= 1));                                               \
		CHECK_ERROR(doca_compress_cap_task_##kind##_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);             \
		CHECK_ERROR(doca_compress_cap_task_##kind##_get_max_buf_size(devinfo, NULL), DOCA_ERROR_INVALID_VALUE);\
		CHECK_ERROR(doca_compress_cap_task_##kind##_get_max_buf_list_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);\
	} while (0)

static void check_profile(const struct expected *expected)
{
	struct rig rig;
	const struct doca_devinfo *devinfo;
	uint64_t size;
	uint32_t len;

	CHECK_OK(softdpu_set_profile(expected->profile));
	CHECK(strcmp(softdpu_get_profile(), expected->profile) == 0);
	rig_open(&rig, 0);
	devinfo = doca_dev_as_devinfo(rig.dev);
	CHECK_KIND(compress_deflate);
	CHECK_KIND(decompress_deflate);
	CHECK_KIND(decompress_lz4_block);
	CHECK_KIND(decompress_lz4_stream);
	rig_close(&rig);
}

int main(void)
{
	static const struct expected expected[] = {
		{ "full", 1, 1, 1, 1 },
		{ "bluefield2", 1, 1, 0, 0 },
		{ "bluefield3", 0, 1, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		check_profile(&expected[i]);
	CHECK_ERROR(softdpu_set_profile("bluefield9"), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(softdpu_set_profile(NULL), DOCA_ERROR_INVALID_VALUE);
	return 0;
}
