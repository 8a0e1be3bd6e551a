/* A record passes exactly the back ends of its tier whose limits accept it. */
#include <string.h>

#include "check.h"
#include "doca_log.h"
#include "sd_log.h"

static char first[256], second[256], sdk[256];
static int num_first, num_second, num_sdk;

static void flush_first(char *buf)
{
	CHECK(buf == first);
	num_first++;
}

static void flush_second(char *buf)
{
	CHECK(buf == second);
	num_second++;
}

static void flush_sdk(char *buf)
{
	CHECK(buf == sdk);
	num_sdk++;
}

static void log_at(uint32_t level)
{
	num_first = num_second = num_sdk = 0;
	CHECK_OK(doca_log(level, -1, __FILE__, __LINE__, __func__, "level %u", level));
}

static void test_program_tier(struct doca_log_backend *a, struct doca_log_backend *b)
{
	log_at(DOCA_LOG_LEVEL_INFO);
	CHECK_EQ(num_first, 1);
	CHECK_EQ(num_second, 1);
	CHECK_EQ(num_sdk, 0);
	log_at(DOCA_LOG_LEVEL_DEBUG);
	CHECK_EQ(num_first, 0);

	CHECK_OK(doca_log_backend_set_level_lower_limit(a, DOCA_LOG_LEVEL_DEBUG));
	log_at(DOCA_LOG_LEVEL_DEBUG);
	CHECK_EQ(num_first, 1);
	CHECK_EQ(num_second, 0);

	/* The process's limit changes b, which is not strict, but not a. */
	CHECK_OK(doca_log_backend_set_level_lower_limit_strict(a));
	CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR));
	CHECK_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_ERROR);
	log_at(DOCA_LOG_LEVEL_WARNING);
	CHECK_EQ(num_first, 1);
	CHECK_EQ(num_second, 0);
	log_at(DOCA_LOG_LEVEL_ERROR);
	CHECK_EQ(num_second, 1);

	CHECK_OK(doca_log_backend_set_level_upper_limit(b, DOCA_LOG_LEVEL_CRIT));
	CHECK_OK(doca_log_backend_set_level_upper_limit_strict(b));
	CHECK_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING));
	CHECK_EQ(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_WARNING);
	log_at(DOCA_LOG_LEVEL_INFO);
	CHECK_EQ(num_first, 0);
	log_at(DOCA_LOG_LEVEL_ERROR);
	CHECK_EQ(num_first, 1);
	CHECK_EQ(num_second, 0);
	log_at(DOCA_LOG_LEVEL_CRIT);
	CHECK_EQ(num_second, 1);

	CHECK_OK(doca_log_backend_set_level_lower_limit(a, DOCA_LOG_LEVEL_DISABLE));
	log_at(DOCA_LOG_LEVEL_CRIT);
	CHECK_EQ(num_first, 0);
}

static void test_sdk_tier(struct doca_log_backend *s)
{
	num_first = num_sdk = 0;
	SD_LOG_WARNING("passes");
	SD_LOG_INFO("does not");
	CHECK_EQ(num_sdk, 1);
	CHECK_EQ(num_first, 0);
	CHECK_OK(doca_log_backend_set_sdk_level(s, DOCA_LOG_LEVEL_INFO));
	SD_LOG_INFO("passes now");
	CHECK_EQ(num_sdk, 2);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT));
	CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_CRIT);
	SD_LOG_ERROR("does not");
	CHECK_EQ(num_sdk, 2);
	SD_LOG_CRIT("%s", "passes");
	CHECK_EQ(num_sdk, 3);
}

static void test_arguments(struct doca_log_backend *program, struct doca_log_backend *s)
{
	CHECK_ERROR(doca_log_level_set_global_lower_limit(15), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_level_set_global_upper_limit(0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_level_set_global_sdk_limit(80), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_lower_limit(NULL, DOCA_LOG_LEVEL_INFO), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_lower_limit(program, 55), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_lower_limit(s, DOCA_LOG_LEVEL_INFO), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_upper_limit(s, DOCA_LOG_LEVEL_INFO), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_lower_limit_strict(s), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_level_upper_limit_strict(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_set_sdk_level(program, DOCA_LOG_LEVEL_INFO), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log(DOCA_LOG_LEVEL_DISABLE, 0, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log(25, 0, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	struct doca_log_backend *a, *b, *s;

	CHECK_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
	CHECK_EQ(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_TRACE);
	CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_WARNING);
	CHECK_OK(doca_log_backend_create_with_buf(first, sizeof(first), flush_first, &a));
	CHECK_OK(doca_log_backend_create_with_buf(second, sizeof(second), flush_second, &b));
	CHECK_OK(doca_log_backend_create_with_buf_sdk(sdk, sizeof(sdk), flush_sdk, &s));
	test_arguments(a, s);
	test_program_tier(a, b);
	test_sdk_tier(s);
	return 0;
}
