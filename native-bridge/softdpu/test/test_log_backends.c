/* Records reach files, descriptors, buffers and the terminal whole, one per line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "doca_log.h"
#include "sd_log.h"

DOCA_LOG_REGISTER(TEST::BACKENDS);

static char small[16];
static int flushed;

static void flush_small(char *buf)
{
	CHECK_EQ(strlen(buf), sizeof(small) - 1);
	flushed++;
	DOCA_LOG_ERR("said while flushing: other back ends get it, this one does not");
}

/* Returns everything written to a temporary file so far. */
static const char *content(FILE *file)
{
	static char text[16384];
	size_t len;

	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	return text;
}

static void test_file(FILE *file)
{
	struct doca_log_backend *backend;
	char longer[5000];
	const char *text;

	CHECK_OK(doca_log_backend_create_with_file(file, &backend));
	DOCA_LOG_ERR("number %d, %s", 42, "text");
	text = content(file);
	CHECK(strstr(text, "[TEST::BACKENDS][ERR][test_log_backends.c:") != NULL);
	CHECK(strstr(text, "[test_file] number 42, text\n") != NULL);

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	DOCA_LOG_INFO("%s", longer);
	text = content(file);
	CHECK(strstr(text, longer) != NULL);
	CHECK_EQ(text[strlen(text) - 1], '\n');
	DOCA_LOG_TRC("not evaluated: %d", (abort(), 1));
	CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_CRIT));
}

/* While the library has no back end, its records go to stderr. */
static void test_without_sdk_backend(FILE *file)
{
	int saved = dup(STDERR_FILENO);

	dup2(fileno(file), STDERR_FILENO);
	SD_LOG_WARNING("without a back end");
	SD_LOG_INFO("too mild");
	dup2(saved, STDERR_FILENO);
	close(saved);
	CHECK(strstr(content(file), "[software DPU][WRN]") != NULL);
	CHECK(strstr(content(file), "without a back end\n") != NULL);
	CHECK(strstr(content(file), "too mild") == NULL);
}

static void test_fd(FILE *file)
{
	struct doca_log_backend *backend;

	CHECK_OK(doca_log_backend_create_with_fd_sdk(fileno(file), &backend));
	SD_LOG_ERROR("said by the library");
	CHECK(strstr(content(file), "said by the library\n") != NULL);
}

static void test_buf(FILE *file)
{
	struct doca_log_backend *backend, *other;

	CHECK_OK(doca_log_backend_create_with_buf(small, sizeof(small), flush_small, &backend));
	CHECK_OK(doca_log_backend_create_with_fd(fileno(file), &other));
	DOCA_LOG_WARN("longer than the buffer");
	CHECK_EQ(flushed, 1);
	CHECK(strstr(content(file), "said while flushing") != NULL);
	CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE));
	CHECK_OK(doca_log_backend_set_level_lower_limit(other, DOCA_LOG_LEVEL_DISABLE));
}

/* stdout and stderr are temporarily files. */
static void test_standard(FILE *out, FILE *err)
{
	int saved_out = dup(STDOUT_FILENO), saved_err = dup(STDERR_FILENO);

	fflush(stdout);
	dup2(fileno(out), STDOUT_FILENO);
	dup2(fileno(err), STDERR_FILENO);
	CHECK_OK(doca_log_backend_create_standard());
	CHECK_OK(doca_log_backend_create_standard());
	DOCA_LOG_INFO("mild");
	DOCA_LOG_WARN("bad");
	dup2(saved_out, STDOUT_FILENO);
	dup2(saved_err, STDERR_FILENO);
	close(saved_out);
	close(saved_err);
	CHECK(strstr(content(out), "mild\n") != NULL);
	CHECK(strstr(content(out), "bad") == NULL);
	CHECK(strstr(content(err), "mild") == NULL);
	CHECK(strstr(content(err), "bad\n") != NULL);
	CHECK(strstr(strstr(content(err), "bad\n") + 1, "bad\n") == NULL);
}

/* The test works with and without a system log: it only passes records to it. */
static void test_syslog(void)
{
	struct doca_log_backend *backend;

	CHECK_OK(doca_log_backend_create_with_syslog("test_log_backends", &backend));
	CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_TRACE));
	DOCA_LOG_DBG("a test of the software DPU's log");
	CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE));
	CHECK_OK(doca_log_backend_create_with_syslog_sdk("test_log_backends", &backend));
	CHECK_OK(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE));
}

static void test_arguments(void)
{
	struct doca_log_backend *backend;

	CHECK_ERROR(doca_log_backend_create_with_file(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_file_sdk(stderr, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_fd(-1, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_buf(NULL, 1, flush_small, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_buf(small, 0, flush_small, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_buf_sdk(small, 1, NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_syslog(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_log_backend_create_with_syslog_sdk("name", NULL), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	FILE *files[6];
	size_t i;

	for (i = 0; i < 6; i++) {
		files[i] = tmpfile();
		CHECK(files[i] != NULL);
	}
	test_arguments();
	test_without_sdk_backend(files[5]);
	test_file(files[0]);
	test_fd(files[1]);
	test_buf(files[2]);
	test_standard(files[3], files[4]);
	test_syslog();
	return 0;
}
