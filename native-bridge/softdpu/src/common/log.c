/* Formats a log call into a line of text. A record is formatted once for all back ends. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log_backend.h"
#include "sd_log.h"

struct origin {
	uint32_t level;
	const char *source;
	const char *file;
	int line;
	const char *func;
};

enum { PREFIX_SIZE = 512, LINE_SIZE = 1024 };

static const char *level_name(uint32_t level)
{
	static const char *const names[] = { "CRT", "ERR", "WRN", "INF", "DBG", "TRC" };

	return names[level / 10 - 2];
}

static const char *base_name(const char *path)
{
	const char *slash;

	if (path == NULL)
		return "?";
	slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/* Writes [time][thread][source][level][file:line][function]. Returns the length, which is below PREFIX_SIZE. */
static size_t format_prefix(char *text, const struct origin *o)
{
	struct timespec now;
	struct tm tm;
	int len;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	len = snprintf(text, PREFIX_SIZE, "[%02d:%02d:%02d.%06ld][%d][%s][%s][%s:%d][%s] ", tm.tm_hour, tm.tm_min, tm.tm_sec,
		       now.tv_nsec / 1000, (int)gettid(), o->source, level_name(o->level), base_name(o->file), o->line,
		       o->func == NULL ? "?" : o->func);
	return len < PREFIX_SIZE ? (size_t)len : PREFIX_SIZE - 1;
}

static void write_line(enum log_tier tier, const struct origin *o, char *line, size_t prefix_len, size_t message_len)
{
	struct log_record record = { .level = o->level, .line = line, .message = line + prefix_len };

	record.len = prefix_len + message_len;
	line[record.len++] = '\n';
	line[record.len] = '\0';
	log_tier_write(tier, &record);
}

static void emit(enum log_tier tier, const struct origin *o, const char *format, va_list args)
{
	char line[LINE_SIZE + 2]; /* room for the final line feed and NUL */
	char *longer;
	size_t prefix_len = format_prefix(line, o);
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(line + prefix_len, LINE_SIZE - prefix_len + 1, format, args);
	if (len < 0)
		len = 0;
	longer = prefix_len + (size_t)len > LINE_SIZE ? malloc(prefix_len + (size_t)len + 2) : NULL;
	if (longer != NULL) {
		memcpy(longer, line, prefix_len);
		vsnprintf(longer + prefix_len, (size_t)len + 1, format, again);
		write_line(tier, o, longer, prefix_len, (size_t)len);
		free(longer);
	} else {
		size_t room = LINE_SIZE - prefix_len;

		write_line(tier, o, line, prefix_len, (size_t)len < room ? (size_t)len : room);
	}
	va_end(again);
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func, const char *format, ...)
{
	char name[LOG_SOURCE_NAME_SIZE];
	struct origin o = { level, name, fname, line, func };
	va_list args;

	if (!log_level_is_valid(level) || level == DOCA_LOG_LEVEL_DISABLE || format == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!log_tier_accepts(LOG_TIER_PROGRAM, level))
		return DOCA_SUCCESS;
	log_source_name(source, name);
	va_start(args, format);
	emit(LOG_TIER_PROGRAM, &o, format, args);
	va_end(args);
	return DOCA_SUCCESS;
}

void sd_log(uint32_t level, const char *file, int line, const char *func, const char *format, ...)
{
	struct origin o = { level, "software DPU", file, line, func };
	va_list args;

	if (!log_tier_accepts(LOG_TIER_SDK, level))
		return;
	va_start(args, format);
	emit(LOG_TIER_SDK, &o, format, args);
	va_end(args);
}
