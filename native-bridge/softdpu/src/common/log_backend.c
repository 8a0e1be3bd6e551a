#include "log_backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static void write_fd(struct doca_log_backend *backend, const struct log_record *record)
{
	const char *at = record->line;
	size_t left = record->len;
	ssize_t done;

	while (left > 0) {
		done = write(backend->fd, at, left);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return; /* No back end is left to report the failure. */
		at += done;
		left -= (size_t)done;
	}
}

static void write_stream(FILE *stream, const struct log_record *record)
{
	fwrite(record->line, 1, record->len, stream);
	fflush(stream);
}

static void write_file(struct doca_log_backend *backend, const struct log_record *record)
{
	write_stream(backend->file, record);
}

static void write_standard(struct doca_log_backend *backend, const struct log_record *record)
{
	(void)backend;
	write_stream(record->level <= DOCA_LOG_LEVEL_WARNING ? stderr : stdout, record);
}

static void write_buf(struct doca_log_backend *backend, const struct log_record *record)
{
	size_t len = record->len < backend->capacity ? record->len : backend->capacity - 1;

	memcpy(backend->buf, record->line, len);
	backend->buf[len] = '\0';
	backend->flush(backend->buf);
}

static int syslog_priority(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return LOG_CRIT;
	case DOCA_LOG_LEVEL_ERROR:
		return LOG_ERR;
	case DOCA_LOG_LEVEL_WARNING:
		return LOG_WARNING;
	case DOCA_LOG_LEVEL_INFO:
		return LOG_INFO;
	default:
		return LOG_DEBUG;
	}
}

/* The ident of openlog() belongs to the process, and possibly to the program. The record therefore contains the name. */
static void write_syslog(struct doca_log_backend *backend, const struct log_record *record)
{
	syslog(LOG_USER | syslog_priority(record->level), "%s: %s", backend->name, record->message);
}

static doca_error_t create_fd(enum log_tier tier, int fd, struct doca_log_backend **backend)
{
	struct doca_log_backend proto = { .tier = tier, .write = write_fd, .fd = fd };

	return fd < 0 ? DOCA_ERROR_INVALID_VALUE : log_backend_add(&proto, backend);
}

static doca_error_t create_file(enum log_tier tier, FILE *file, struct doca_log_backend **backend)
{
	struct doca_log_backend proto = { .tier = tier, .write = write_file, .file = file };

	return file == NULL ? DOCA_ERROR_INVALID_VALUE : log_backend_add(&proto, backend);
}

static doca_error_t create_buf(enum log_tier tier, char *buf, size_t capacity, log_flush_callback flush,
			       struct doca_log_backend **backend)
{
	struct doca_log_backend proto = {
		.tier = tier, .write = write_buf, .buf = buf, .capacity = capacity, .flush = flush
	};

	if (buf == NULL || capacity == 0 || flush == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return log_backend_add(&proto, backend);
}

static doca_error_t create_syslog(enum log_tier tier, const char *name, struct doca_log_backend **backend)
{
	struct doca_log_backend proto = { .tier = tier, .write = write_syslog };
	doca_error_t result;

	if (name == NULL || backend == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	proto.name = strdup(name);
	if (proto.name == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = log_backend_add(&proto, backend);
	if (result != DOCA_SUCCESS)
		free(proto.name);
	return result;
}

doca_error_t doca_log_backend_create_standard(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct doca_log_backend *standard;
	struct doca_log_backend proto = { .tier = LOG_TIER_PROGRAM, .write = write_standard };
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&lock);
	if (standard == NULL)
		result = log_backend_add(&proto, &standard);
	pthread_mutex_unlock(&lock);
	return result;
}

/* Defines the functions that create back ends of one tier. */
#define BACKENDS(suffix, tier)                                                                                          \
	doca_error_t doca_log_backend_create_with_fd##suffix(int fd, struct doca_log_backend **backend)                 \
	{                                                                                                               \
		return create_fd(tier, fd, backend);                                                                    \
	}                                                                                                               \
	doca_error_t doca_log_backend_create_with_file##suffix(FILE *fptr, struct doca_log_backend **backend)           \
	{                                                                                                               \
		return create_file(tier, fptr, backend);                                                                \
	}                                                                                                               \
	doca_error_t doca_log_backend_create_with_buf##suffix(char *buf, size_t capacity, log_flush_callback handler,   \
							      struct doca_log_backend **backend)                        \
	{                                                                                                               \
		return create_buf(tier, buf, capacity, handler, backend);                                               \
	}                                                                                                               \
	doca_error_t doca_log_backend_create_with_syslog##suffix(const char *name, struct doca_log_backend **backend)   \
	{                                                                                                               \
		return create_syslog(tier, name, backend);                                                              \
	}

BACKENDS(, LOG_TIER_PROGRAM)
BACKENDS(_sdk, LOG_TIER_SDK)
