/* Constructors register sources before main(); ids can be unregistered, and records stay whole with many threads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "doca_log.h"

enum { THREADS = 4, RECORDS = 500 };

static int early = -1;

static void __attribute__((constructor(102))) register_early(void)
{
	(void)doca_log_register_source("EARLY", &early);
}

static char line[256];
static int num_records;

static void flush_line(char *buf)
{
	size_t len = strlen(buf);

	CHECK(len > 4 && strcmp(buf + len - 5, "done\n") == 0);
	num_records++;
}

static void *say_often(void *unused)
{
	int i, source;

	(void)unused;
	for (i = 0; i < RECORDS; i++) {
		CHECK_OK(doca_log_register_source("WORKER", &source));
		CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, source, __FILE__, __LINE__, __func__, "%d done", i));
		CHECK_OK(doca_log_unregister_source(source));
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	int i;

	num_records = 0;
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, say_often, NULL), 0);
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	CHECK_EQ(num_records, THREADS * RECORDS);
}

static void test_ids(void)
{
	int a, b, c, i;

	CHECK_OK(doca_log_register_source("A", &a));
	CHECK_OK(doca_log_register_source("A", &b));
	CHECK(a >= 0 && b >= 0 && a != b);
	CHECK_OK(doca_log_unregister_source(a));
	CHECK_ERROR(doca_log_unregister_source(a), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_unregister_source(-1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_unregister_source(1 << 30), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_log_unregister_source(b));
	CHECK_ERROR(doca_log_register_source(NULL, &c), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_register_source("A", NULL), DOCA_ERROR_INVALID_VALUE);
	/* The number of sources is limited, and ids can be reused. */
	for (i = 0; doca_log_register_source("MANY", &c) == DOCA_SUCCESS; i++)
		CHECK(i < 1 << 20);
	CHECK(i > 100);
	CHECK_ERROR(doca_log_register_source("MANY", &a), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_log_unregister_source(c));
	CHECK_OK(doca_log_register_source("MANY", &a));
	CHECK_EQ(a, c);
}

int main(void)
{
	struct doca_log_backend *backend;

	CHECK(early >= 0);
	CHECK_OK(doca_log_backend_create_with_buf(line, sizeof(line), flush_line, &backend));
	CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, early, NULL, 0, NULL, "done"));
	CHECK_EQ(num_records, 1);
	CHECK(strstr(line, "[EARLY]") != NULL);
	test_threads();
	test_ids();
	return 0;
}
