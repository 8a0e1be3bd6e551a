/* The macros for errors and versions match their descriptions. */
#include <string.h>

#include "check.h"
#include "doca_compat.h"
#include "doca_version.h"

struct versioned {
	DOCA_STRUCT_START;
	int value;
};

static void test_propagate(void)
{
	doca_error_t result = DOCA_SUCCESS;

	CHECK(!DOCA_IS_ERROR(result));
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_AGAIN);
	CHECK_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	CHECK_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	CHECK_EQ(result, DOCA_ERROR_AGAIN);
	CHECK(DOCA_IS_ERROR(result));
}

static void test_version(void)
{
	CHECK_EQ(DOCA_VERSION_EXACT, 0x0300003A);
	CHECK_EQ(DOCA_VERSION_CALC(3, 2, 1), 0x03020000 + 1000);
	CHECK(DOCA_VERSION_EQ_CURRENT(3, 0, 0));
	CHECK(!DOCA_VERSION_EQ_CURRENT(2, 9, 0));
	CHECK(DOCA_VERSION_LTE_CURRENT(2, 9, 1));
	CHECK(DOCA_VERSION_LTE_CURRENT(3, 0, 0));
	CHECK(!DOCA_VERSION_LTE_CURRENT(3, 1, 0));
	CHECK(strcmp(doca_version(), DOCA_VERSION_STRING) == 0);
	CHECK(strcmp(doca_version_runtime(), DOCA_VERSION_STRING) == 0);
}

static void test_versioned_structures(void)
{
	struct versioned a = { DOCA_STRUCT_CTOR_LIST_START, .value = 1 };
	struct versioned b = { 0 };
	DOCA_STRUCT_DEF(versioned, c);

	CHECK_EQ(DOCA_STRUCT_GET_VERSION(&a), DOCA_VERSION_EXACT);
	CHECK_EQ(DOCA_STRUCT_GET_VERSION(&c), DOCA_VERSION_EXACT);
	CHECK_EQ(c.value, 0);
	b.value = 2;
	DOCA_STRUCT_PTR_CTOR(&b);
	CHECK_EQ(DOCA_STRUCT_GET_VERSION(&b), DOCA_VERSION_EXACT);
	CHECK_EQ(b.value, 2);
	DOCA_STRUCT_PTR_MEMSET_CTOR(&b);
	CHECK_EQ(DOCA_STRUCT_GET_VERSION(&b), DOCA_VERSION_EXACT);
	CHECK_EQ(b.value, 0);
}

int main(void)
{
	test_propagate();
	test_version();
	test_versioned_structures();
	return 0;
}
