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

static uint8_t backend_wants(const struct doca_log_backend *b, enum log_tier tier, uint32_t level)
{
	return b->tier == tier && level <= atomic_load_explicit(&b->lower, memory_order_relaxed) &&
	       level <= atomic_load_explicit(&b->upper, memory_order_relaxed);
}

uint8_t log_tier_wants(enum log_tier tier, uint32_t level)
{
	const struct doca_log_backend *b;

	if (tier == LOG_TIER_SDK && !sdk_has_backend)
		return level <= global_sdk;
	for (b = backends; b != NULL; b = b->next)
		if (backend_wants(b, tier, level))
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
		if (backend_wants(b, tier, record->level))
			backend_write(b, record);
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
	struct doca_log_backend *b;

	if (!log_level_is_valid(level))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&list_lock);
	global_lower = level;
	for (b = backends; b != NULL; b = b->next)
		if (b->tier == LOG_TIER_PROGRAM && !b->lower_strict)
			b->lower = level;
	pthread_mutex_unlock(&list_lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
	struct doca_log_backend *b;

	if (!log_level_is_valid(upper_limit))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&list_lock);
	global_upper = upper_limit;
	for (b = backends; b != NULL; b = b->next)
		if (b->tier == LOG_TIER_PROGRAM && !b->upper_strict)
			b->upper = upper_limit;
	pthread_mutex_unlock(&list_lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
	struct doca_log_backend *b;

	if (!log_level_is_valid(level))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&list_lock);
	global_sdk = level;
	for (b = backends; b != NULL; b = b->next)
		if (b->tier == LOG_TIER_SDK)
			b->lower = level;
	pthread_mutex_unlock(&list_lock);
	return DOCA_SUCCESS;
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
	return global_lower;
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
	return global_upper;
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
	return global_sdk;
}

static uint8_t belongs_to(const struct doca_log_backend *backend, enum log_tier tier)
{
	return backend != NULL && backend->tier == tier;
}

doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend, uint32_t level)
{
	if (!belongs_to(backend, LOG_TIER_PROGRAM) || !log_level_is_valid(level))
		return DOCA_ERROR_INVALID_VALUE;
	backend->lower = level;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend, uint32_t upper_limit)
{
	if (!belongs_to(backend, LOG_TIER_PROGRAM) || !log_level_is_valid(upper_limit))
		return DOCA_ERROR_INVALID_VALUE;
	backend->upper = upper_limit;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
	if (!belongs_to(backend, LOG_TIER_PROGRAM))
		return DOCA_ERROR_INVALID_VALUE;
	backend->lower_strict = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
	if (!belongs_to(backend, LOG_TIER_PROGRAM))
		return DOCA_ERROR_INVALID_VALUE;
	backend->upper_strict = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
	if (!belongs_to(backend, LOG_TIER_SDK) || !log_level_is_valid(level))
		return DOCA_ERROR_INVALID_VALUE;
	backend->lower = level;
	return DOCA_SUCCESS;
}
