/*
 * The fault plan: what goes wrong on purpose. The grammar is described in softdpu.h.
 *
 * Thread: any; one lock around the plan. Without a plan a draw costs one atomic load.
 */
#ifndef SD_FAULT_H
#define SD_FAULT_H

#include <stdint.h>

#include "doca_error.h"

/** What the plan deals to one submission; all zero means: nothing goes wrong. */
struct sd_fault {
	doca_error_t error;		/**< other than SUCCESS: not executed, this is the result */
	uint64_t delay_ns;		/**< how much later than its execution the completion comes */
	uint8_t again;			/**< the submission is refused with AGAIN */
	uint8_t corrupt;
	uint8_t lost;
};

enum sd_fault_action { SD_FAULT_FAIL, SD_FAULT_DELAY, SD_FAULT_AGAIN, SD_FAULT_CORRUPT, SD_FAULT_LOST };

enum { SD_FAULT_MAX_RULES = 64, SD_FAULT_MAX_TYPE = 64 };

/** One rule of a plan, as it was written, and where its counting stands. */
struct sd_fault_rule {
	char task_type[SD_FAULT_MAX_TYPE];	/**< "*": any */
	enum sd_fault_action action;
	doca_error_t error;
	uint64_t delay_ns;
	uint64_t again_count;
	uint64_t nth, every, first;		/**< selectors; 0: not given */
	uint64_t odds;				/**< fires when 64 random bits are below; UINT64_MAX: always */

	uint64_t seen;				/**< submissions of the task type so far */
	uint64_t random;
	uint64_t again_left;			/**< refusals of the present submission that are still to come */
	uint8_t let_through;			/**< the refused submission is accepted next, and was counted already */
};

struct sd_fault_plan {
	uint32_t num_rules;
	struct sd_fault_rule rules[SD_FAULT_MAX_RULES];
};

/** Read a plan's text. INVALID_VALUE, with the reason in the log, when it breaks the grammar. */
doca_error_t sd_fault_parse(const char *text, struct sd_fault_plan *plan);

/** Take over the plan of the environment (NULL: none) at first use of the library. */
doca_error_t sd_fault_load(const char *text, uint64_t seed);

/** Start the rules' counters and draws over from a seed. */
void sd_fault_begin_run(uint64_t seed);

/** Whether the environment's plan was refused and nothing has replaced it since. */
uint8_t sd_fault_is_broken(void);

/** Whether an allocation ("alloc-task", "alloc-buf", "alloc-map") is to fail: SUCCESS, or the error to answer. */
doca_error_t sd_fault_alloc(const char *what);

/** Whether a rule of this name is about allocations; `*` is not. */
uint8_t sd_fault_is_alloc(const char *task_type);

/** Deal the faults of one submission of the named task type. */
void sd_fault_draw(const char *task_type, struct sd_fault *fault);

/** A task was executed, and its completion is late from now on: a stop no longer flushes it. */
void sd_fault_count_delay(void);

#endif
