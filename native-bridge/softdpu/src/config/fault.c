#include "sd_fault.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sd_random.h"

static pthread_mutex_t plan_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sd_fault_plan plan;
static struct softdpu_fault_counters counters;
static _Atomic uint8_t has_plan;
static _Atomic uint8_t is_broken;

/* The lock must be held. */
static void restart_rules(uint64_t seed)
{
	memset(&counters, 0, sizeof(counters));
	for (uint32_t i = 0; i < plan.num_rules; i++) {
		struct sd_fault_rule *rule = &plan.rules[i];

		rule->seen = 0;
		rule->fired = 0;
		rule->again_left = 0;
		rule->let_through = 0;
		rule->random = sd_random_seed(seed, i);
	}
}

doca_error_t sd_fault_replace(const char *text, uint64_t seed, char *why)
{
	struct sd_fault_plan next;
	doca_error_t result = sd_fault_parse(text, &next, why);

	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&plan_lock);
	plan = next;
	restart_rules(seed);
	atomic_store(&has_plan, plan.num_rules > 0);
	atomic_store(&is_broken, 0);
	pthread_mutex_unlock(&plan_lock);
	return DOCA_SUCCESS;
}

doca_error_t sd_fault_load(const char *text, uint64_t seed, char *why)
{
	doca_error_t result = text == NULL ? DOCA_SUCCESS : sd_fault_replace(text, seed, why);

	atomic_store(&is_broken, result != DOCA_SUCCESS);
	return result;
}

void sd_fault_begin_run(uint64_t seed)
{
	pthread_mutex_lock(&plan_lock);
	restart_rules(seed);
	pthread_mutex_unlock(&plan_lock);
}

uint8_t sd_fault_is_broken(void)
{
	return atomic_load(&is_broken);
}

/* Returns whether all selectors of the rule match the submission that it counted last. */
static uint8_t matches(struct sd_fault_rule *rule)
{
	if (rule->nth != 0 && rule->seen != rule->nth)
		return 0;
	if (rule->every != 0 && rule->seen % rule->every != 0)
		return 0;
	if (rule->first != 0 && rule->seen > rule->first)
		return 0;
	return rule->odds == UINT64_MAX || sd_random_next(&rule->random) < rule->odds;
}

/* Counts a submission of the rule's task type and returns whether the rule applies to it. */
static uint8_t fires(struct sd_fault_rule *rule)
{
	uint8_t is_match;

	rule->seen++;
	is_match = matches(rule);
	rule->fired += is_match;
	return is_match;
}

/*
 * Returns whether to refuse a submission. The program repeats a refused submission: it is refused rule->count times, then
 * accepted, and counted once.
 */
static uint8_t refuses(struct sd_fault_rule *rule)
{
	if (rule->again_left > 0) {
		rule->again_left--;
		return 1;
	}
	if (rule->let_through) {
		rule->let_through = 0;
		return 0;
	}
	if (!fires(rule))
		return 0;
	rule->again_left = rule->count - 1;
	rule->let_through = 1;
	return 1;
}

static void fail(struct sd_fault *fault, doca_error_t error)
{
	if (fault->error == DOCA_SUCCESS)
		fault->error = error;
}

static void drop(uint64_t count, struct sd_fault *fault)
{
	fault->delay_ns += (count < SD_LINK_RETRIES ? count : SD_LINK_RETRIES) * SD_LINK_RETRY_NS;
	if (count > SD_LINK_RETRIES)
		fail(fault, DOCA_ERROR_IO_FAILED);
}

static void apply(const struct sd_fault_rule *rule, struct sd_fault *fault)
{
	switch (rule->action) {
	case SD_FAULT_FAIL:
		fail(fault, rule->error);
		break;
	case SD_FAULT_DELAY:
		fault->delay_ns += rule->delay_ns;
		break;
	case SD_FAULT_CORRUPT:
		fault->corrupt = 1;
		break;
	case SD_FAULT_LOST:
		fault->lost = 1;
		break;
	case SD_FAULT_TWICE:
		fault->twice = 1;
		break;
	case SD_FAULT_AGAIN:
		fault->again = 1;
		break;
	case SD_FAULT_DROP:
		drop(rule->count, fault);
		break;
	case SD_FAULT_DOWN:
		fail(fault, DOCA_ERROR_IO_FAILED);
		fault->is_link_down = 1;
		break;
	}
}

static uint8_t concerns(const struct sd_fault_rule *rule, const char *task_type)
{
	return strcmp(rule->task_type, "*") == 0 || strcmp(rule->task_type, task_type) == 0;
}

static void count(const struct sd_fault *fault)
{
	counters.submissions++;
	counters.again += fault->again;
	counters.failed += fault->error != DOCA_SUCCESS;
	counters.corrupted += fault->corrupt;
	counters.lost += fault->lost;
	counters.doubled += fault->twice;
}

/* The rules before the refusing one have counted the submission. They do not count its repetition. */
static void spare_earlier(const struct sd_fault_rule *refusing, const char *task_type)
{
	for (struct sd_fault_rule *rule = plan.rules; rule < refusing; rule++) {
		if (rule->action == SD_FAULT_AGAIN && concerns(rule, task_type))
			rule->let_through = 1;
	}
}

/* Returns whether a rule refuses the submission. */
static uint8_t draw_refusal(const char *task_type)
{
	for (uint32_t i = 0; i < plan.num_rules; i++) {
		struct sd_fault_rule *rule = &plan.rules[i];

		if (rule->action != SD_FAULT_AGAIN || !concerns(rule, task_type) || !refuses(rule))
			continue;
		spare_earlier(rule, task_type);
		return 1;
	}
	return 0;
}

static void draw(const char *task_type, struct sd_fault *fault)
{
	fault->again = draw_refusal(task_type);
	for (uint32_t i = 0; i < plan.num_rules && !fault->again; i++) {
		struct sd_fault_rule *rule = &plan.rules[i];

		if (rule->action != SD_FAULT_AGAIN && concerns(rule, task_type) && fires(rule))
			apply(rule, fault);
	}
	count(fault);
}

void sd_fault_draw(const char *task_type, struct sd_fault *fault)
{
	memset(fault, 0, sizeof(*fault));
	if (!atomic_load_explicit(&has_plan, memory_order_acquire))
		return;
	pthread_mutex_lock(&plan_lock);
	draw(task_type, fault);
	pthread_mutex_unlock(&plan_lock);
}

void sd_fault_draw_link(const char *link, struct sd_fault *fault)
{
	doca_error_t before = fault->error;

	if (!atomic_load_explicit(&has_plan, memory_order_acquire))
		return;
	pthread_mutex_lock(&plan_lock);
	for (uint32_t i = 0; i < plan.num_rules; i++) {
		struct sd_fault_rule *rule = &plan.rules[i];

		if (strcmp(rule->task_type, link) == 0 && fires(rule))
			apply(rule, fault);
	}
	counters.failed += fault->error != before;
	pthread_mutex_unlock(&plan_lock);
}

void sd_fault_count_delay(void)
{
	pthread_mutex_lock(&plan_lock);
	counters.delayed++;
	pthread_mutex_unlock(&plan_lock);
}

doca_error_t sd_fault_alloc(const char *what)
{
	doca_error_t error = DOCA_SUCCESS;

	if (!atomic_load_explicit(&has_plan, memory_order_acquire))
		return DOCA_SUCCESS;
	pthread_mutex_lock(&plan_lock);
	for (uint32_t i = 0; i < plan.num_rules; i++) {
		struct sd_fault_rule *rule = &plan.rules[i];

		if (strcmp(rule->task_type, what) == 0 && fires(rule) && error == DOCA_SUCCESS)
			error = rule->error;
	}
	counters.failed += error != DOCA_SUCCESS;
	pthread_mutex_unlock(&plan_lock);
	return error;
}

void *sd_fault_calloc(const char *what, size_t size, doca_error_t *result)
{
	void *memory;

	*result = sd_fault_alloc(what);
	memory = *result == DOCA_SUCCESS ? calloc(1, size) : NULL;
	if (memory == NULL && *result == DOCA_SUCCESS)
		*result = DOCA_ERROR_NO_MEMORY;
	return memory;
}

void sd_fault_get_counters(struct softdpu_fault_counters *out)
{
	pthread_mutex_lock(&plan_lock);
	*out = counters;
	pthread_mutex_unlock(&plan_lock);
}

uint32_t sd_fault_get_fired(uint64_t *fired, uint32_t capacity)
{
	uint32_t num_rules;

	pthread_mutex_lock(&plan_lock);
	num_rules = plan.num_rules;
	for (uint32_t i = 0; i < num_rules && i < capacity; i++)
		fired[i] = plan.rules[i].fired;
	pthread_mutex_unlock(&plan_lock);
	return num_rules;
}
