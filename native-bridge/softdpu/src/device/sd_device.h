/*
 * The device: it executes latched tasks, either on hardware threads ("threads", the default) or inside doca_pe_progress
 * in an order drawn from a seed on a virtual clock ("inline"). SOFTDPU_EXECUTION selects; the control API in softdpu.h
 * can change it while no context is started.
 */
#ifndef SD_DEVICE_H
#define SD_DEVICE_H

#include <stdint.h>

#include "doca_error.h"

struct doca_ctx;
struct doca_pe;
struct doca_task;
struct sd_unit;

/** One thread's state per library; see struct sd_unit_type. Zero-initialise. */
struct sd_worker {
	struct sd_unit *units;
};

/** Inline execution: what one engine has to execute, earliest first, and where its draws stand. Zero-initialise. */
struct sd_inline {
	struct doca_task *tasks;
	uint64_t random;
	uint64_t run;			/**< the run that random belongs to; 0: none yet */
	struct sd_worker worker;
};

/** A way of executing tasks: one static table each. All but open and close: program's thread. */
struct sd_execution {
	const char *name;
	/** The first context starts: get ready. INITIALIZATION. */
	doca_error_t (*open)(void);
	/** The last context has stopped: nothing may be left behind. No task is queued or executing. */
	void (*close)(void);
	/** Execute a task some time. Never fails: the pools bound the number of tasks. */
	void (*queue)(struct doca_task *task);
	/** Complete an executed task as late as its fault says. */
	void (*delay)(struct doca_task *task);
	/** Take back all tasks of a context whose execution has not begun, or by the timing model not ended, as a list. */
	struct doca_task *(*cancel)(struct doca_ctx *ctx);
};

extern const struct sd_execution sd_execution_threads;
extern const struct sd_execution sd_execution_inline;

/** @name Life */
/** @{ */
/** A context starts. INITIALIZATION: settings of the environment cannot be understood, or there are no threads. */
doca_error_t sd_device_acquire(void);
/** A context has stopped. */
void sd_device_release(void);
/** Keep contexts from starting until sd_device_unlock(); 0 and no lock when some context is started already. */
uint8_t sd_device_lock_unused(void);
void sd_device_unlock(void);
/** Draws of inline execution start over, the virtual clock goes to 0. */
void sd_device_begin_run(void);
/** @} */

/** @name Work; program's thread */
/** @{ */
void sd_device_queue(struct doca_task *task);
/** See struct sd_execution. */
void sd_device_delay(struct doca_task *task);
/** See struct sd_execution. */
struct doca_task *sd_device_cancel(struct doca_ctx *ctx);
/** Inline execution: run the next due task of this engine, if any; 1 when something was done. */
uint8_t sd_device_step(struct doca_pe *pe);
/** Inline execution: the engine's next draw from the seed, and a time a little later than now that is drawn. */
uint64_t sd_device_draw(struct doca_pe *pe);
uint64_t sd_device_draw_due(struct doca_pe *pe);
/** Inline execution: whether sd_device_step() would do something. */
uint8_t sd_device_has_work(const struct doca_pe *pe);
/** @} */

/** Execute a task on this thread, with the faults that were dealt to it; sets its status. */
void sd_task_execute(struct doca_task *task, struct sd_worker *worker);
/** Free what a thread kept for the libraries. */
void sd_worker_close(struct sd_worker *worker);

/** @name Clock */
/** @{ */
/** Nanoseconds on the device's clock: monotonic time ("threads") or virtual time ("inline"). */
uint64_t sd_clock_now(void);
uint64_t sd_clock_virtual_now(void);
/** Whether virtual time may jump to what is next. */
uint8_t sd_clock_jumps(void);
/** Move virtual time forward to then, if it is not there yet. */
void sd_clock_jump(uint64_t then);
void sd_clock_reset(void);
/** @} */

#endif
