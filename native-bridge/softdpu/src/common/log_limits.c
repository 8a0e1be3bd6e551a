/* The list of back ends, and their limits. */
#include <stdlib.h>

#include "log_backend.h"

static _Atomic uint32_t global_lower = DOCA_LOG_LEVEL_INFO;
static _Atomic uint32_t global_upper = DOCA_LOG_LEVEL_TRACE;
static _Atomic uint32_t global_sdk = DOCA_LOG_LEVEL_WARNING;

/* Grows at the head under list_lock and never shrinks. Readers need no lock. */
static struct doca_log_backend *_Atomic backends;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint8_t sdk_has_backend;

uint8_t log_level_is_valid(uint32_t level)
{
	return level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE && level % 10 == 0;
}

static doca_error_t init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	if (pthread_mutexattr_init(&attr) != 0)
		return DOCA_ERROR_NO_MEMORY;
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
	return DOCA_SUCCESS;
}

doca_error_t log_backend_add(const struct doca_log_backend *proto, struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	if (backend == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	b = malloc(sizeof(*b));
	if (b == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*b = *proto;
	if (init_lock(&b->lock) != DOCA_SUCCESS) {
		free(b);
		return DOCA_ERROR_NO_MEMORY;
	}
	/* The setters of limits take the same lock, so that a new back end cannot miss a change. */
	pthread_mutex_lock(&list_lock);
	b->lower = b->tier == LOG_TIER_SDK ? global_sdk : global_lower;
	b->upper = b->tier == LOG_TIER_SDK ? (uint32_t)DOCA_LOG_LEVEL_TRACE : global_upper;
	b->next = backends;
	backends = b;
	if (b->tier == LOG_TIER_SDK)
		sdk_has_backend = 1;
	pthread_mutex_unlock(&list_lock);
	*backend = b;
	return DOCA_SUCCESS;
}

static uint8_t backend_accepts(const struct doca_log_backend *b, enum log_tier tier, uint32_t level)
{
	return b->tier == tier && level <= atomic_load_explicit(&b->lower, memory_order_relaxed) &&
	       level <= atomic_load_explicit(&b->upper, memory_order_relaxed);
}

uint8_t log_tier_accepts(enum log_tier tier, uint32_t level)
{
	const struct doca_log_backend *b;

	if (tier == LOG_TIER_SDK && !sdk_has_backend)
		return level <= global_sdk;
	for (b = backends; b != NULL; b = b->next)
		if (backend_accepts(b, tier, level))
			return 1;
	return 0;
}

static void backend_write(struct doca_log_backend *b, const struct log_record *record)
{
	pthread_mutex_lock(&b->lock);
	if (!b->writing) { /* else a flush callback logs, and its buffer is in use */
		b->writing = 1;
		b->write(b, record);
		b->writing = 0;
	}
	pthread_mutex_unlock(&b->lock);
}

void log_tier_write(enum log_tier tier, const struct log_record *record)
{
	struct doca_log_backend *b;

	if (tier == LOG_TIER_SDK && !sdk_has_backend) {
		fwrite(record->line, 1, record->len, stderr);
		return;
	}
	for (b = backends; b != NULL; b = b->next)
		if (backend_accepts(b, tier, record->level))
			backend_write(b, record);
}

/* Defines the getter and the setter of a global limit. The setter also sets the member of each back end b for which concerns is true. */
#define GLOBAL_LIMIT(name, variable, member, concerns)                                              \
	uint32_t doca_log_level_get_global_##name(void)                                             \
	{                                                                                           \
		return variable;                                                                    \
	}                                                                                           \
	doca_error_t doca_log_level_set_global_##name(uint32_t level)                               \
	{                                                                                           \
		if (!log_level_is_valid(level))                                                     \
			return DOCA_ERROR_INVALID_VALUE;                                            \
		pthread_mutex_lock(&list_lock);                                                     \
		variable = level;                                                                   \
		for (struct doca_log_backend *b = backends; b != NULL; b = b->next) {               \
			if (concerns)                                                               \
				b->member = level;                                                  \
		}                                                                                   \
		pthread_mutex_unlock(&list_lock);                                                   \
		return DOCA_SUCCESS;                                                                \
	}

GLOBAL_LIMIT(lower_limit, global_lower, lower, b->tier == LOG_TIER_PROGRAM && !b->lower_strict)
GLOBAL_LIMIT(upper_limit, global_upper, upper, b->tier == LOG_TIER_PROGRAM && !b->upper_strict)
GLOBAL_LIMIT(sdk_limit, global_sdk, lower, b->tier == LOG_TIER_SDK)

static uint8_t belongs_to(const struct doca_log_backend *backend, enum log_tier tier)
{
	return backend != NULL && backend->tier == tier;
}

/* Define the setters of a back end's limit, and of its protection from the global limit. */
#define LIMIT(name, required_tier, limit)                                                                     \
	doca_error_t doca_log_backend_set_##name(struct doca_log_backend *backend, uint32_t level)            \
	{                                                                                                     \
		if (!belongs_to(backend, required_tier) || !log_level_is_valid(level))                        \
			return DOCA_ERROR_INVALID_VALUE;                                                      \
		backend->limit = level;                                                                       \
		return DOCA_SUCCESS;                                                                          \
	}
#define STRICT(name, member)                                                                                  \
	doca_error_t doca_log_backend_set_##name(struct doca_log_backend *backend)                            \
	{                                                                                                     \
		if (!belongs_to(backend, LOG_TIER_PROGRAM))                                                   \
			return DOCA_ERROR_INVALID_VALUE;                                                      \
		backend->member = 1;                                                                          \
		return DOCA_SUCCESS;                                                                          \
	}

LIMIT(level_lower_limit, LOG_TIER_PROGRAM, lower)
LIMIT(level_upper_limit, LOG_TIER_PROGRAM, upper)
LIMIT(sdk_level, LOG_TIER_SDK, lower)
STRICT(level_lower_limit_strict, lower_strict)
STRICT(level_upper_limit_strict, upper_strict)
