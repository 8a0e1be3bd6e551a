/*
 * The fault plan: injected faults. softdpu.h describes the grammar.
 *
 * Thread: any; one lock protects the plan. Without a plan a draw costs one atomic load.
 */
#ifndef SD_FAULT_H
#define SD_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"
#include "softdpu.h"

/** Faults of one submission; all zero: no fault. */
struct sd_fault {
	doca_error_t error;		/**< other than SUCCESS: the task is not executed and ends with this result */
	uint64_t delay_ns;		/**< time from execution to completion, or of a packet on the link */
	uint8_t again;			/**< the submission is refused with AGAIN */
	uint8_t corrupt;
	uint8_t lost;
	uint8_t twice;			/**< the completion is reported twice */
	uint8_t is_link_down;		/**< with an error */
};

enum sd_fault_action {
	SD_FAULT_FAIL,
	SD_FAULT_DELAY,
	SD_FAULT_AGAIN,
	SD_FAULT_CORRUPT,
	SD_FAULT_LOST,
	SD_FAULT_TWICE,
	SD_FAULT_DROP,			/**< of a link only */
	SD_FAULT_DOWN,			/**< of a link only */
};

enum { SD_FAULT_MAX_RULES = 64, SD_FAULT_MAX_TYPE = 64 };

/** A link repeats a dropped packet this often, after this time each. */
enum { SD_LINK_RETRIES = 7, SD_LINK_RETRY_NS = 10000000 };

/** Task types of the rules for links. */
#define SD_FAULT_RDMA_LINK "rdma-link"
#define SD_FAULT_COMCH_LINK "comch-link"
/** Task type of the rules for reports of a context's state. */
#define SD_FAULT_CTX_EVENT "ctx-event"

/** One rule of a plan, as written, and its counters. */
struct sd_fault_rule {
	char task_type[SD_FAULT_MAX_TYPE];	/**< "*": any */
	enum sd_fault_action action;
	doca_error_t error;
	uint64_t delay_ns;
	uint64_t count;			/**< of refusals or dropped packets; UINT64_MAX: of all packets */
	uint64_t nth, every, first;		/**< selectors; 0: not set */
	uint64_t odds;				/**< the rule fires if 64 random bits are below; UINT64_MAX: always */

	uint64_t seen;				/**< submissions of the task type so far */
	uint64_t fired;				/**< those that all selectors matched */
	uint64_t random;
	uint64_t again_left;			/**< remaining refusals of the current submission */
	uint8_t let_through;			/**< the next submission is the refused one: accepted, not counted again */
};

struct sd_fault_plan {
	uint32_t num_rules;
	struct sd_fault_rule rules[SD_FAULT_MAX_RULES];
};

/** Parses a plan. INVALID_VALUE: the plan breaks the grammar; why receives the reason and has SD_REASON_SIZE bytes. */
doca_error_t sd_fault_parse(const char *text, struct sd_fault_plan *plan, char *why);

/** Loads the plan of the environment (NULL: none) at the first use of the library. Errors as sd_fault_parse(). */
doca_error_t sd_fault_load(const char *text, uint64_t seed, char *why);

/** Replaces the plan. INVALID_VALUE as sd_fault_parse(): the plan stays. */
doca_error_t sd_fault_replace(const char *text, uint64_t seed, char *why);

/** Returns the counters since the last replacement or restart. */
void sd_fault_get_counters(struct softdpu_fault_counters *counters);

/** Returns the number of rules, and how often each of the first ones has fired. */
uint32_t sd_fault_get_fired(uint64_t *fired, uint32_t capacity);

/** Restarts the rules' counters and random numbers from a seed. */
void sd_fault_begin_run(uint64_t seed);

/** Returns whether the environment's plan is invalid and was not replaced since. */
uint8_t sd_fault_is_broken(void);

/** Returns the result for an allocation, such as "alloc-task": SUCCESS, or the error of a rule. */
doca_error_t sd_fault_alloc(const char *what);

/** Returns zeroed memory for an object. NULL: result has the error of a rule for the allocation, or NO_MEMORY. */
void *sd_fault_calloc(const char *what, size_t size, doca_error_t *result);

/** Draws the faults of one submission of the named task type. */
void sd_fault_draw(const char *task_type, struct sd_fault *fault);

/** Adds the faults of a link to those of a submission, or of a packet, that uses it; or those of the report of a state. */
void sd_fault_draw_link(const char *link, struct sd_fault *fault);

/**
 * Counts a delayed packet or report of a state, or a task that was executed and whose completion is delayed: a stop no longer flushes
 * the task.
 */
void sd_fault_count_delay(void);

#endif
