/*
 * Messages of the library itself: the SDK tier of doca_log.h. Without an SDK back end, records within the SDK limit go to
 * stderr.
 *
 * Thread: any, also before main() and on hardware threads.
 */
#ifndef SD_LOG_H
#define SD_LOG_H

#include <stdint.h>

#include "doca_log.h"

/** Logs in the SDK tier. Use the macros below. */
void sd_log(uint32_t level, const char *file, int line, const char *func, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#define SD_LOG(level, ...) sd_log(level, __FILE__, __LINE__, __func__, __VA_ARGS__)
#define SD_LOG_CRIT(...) SD_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define SD_LOG_ERROR(...) SD_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define SD_LOG_WARNING(...) SD_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define SD_LOG_INFO(...) SD_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define SD_LOG_DEBUG(...) SD_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
