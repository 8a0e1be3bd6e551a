/*
 * The device: it executes latched tasks. In mode "threads" (the default) it uses hardware threads. In mode "inline" it executes
 * tasks inside doca_pe_progress(), in an order from a seed, on a virtual clock. SOFTDPU_EXECUTION selects the mode; softdpu.h
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

/** State of one thread, per library; see struct sd_unit_type. Zero-initialise. */
struct sd_worker {
	struct sd_unit *units;
};

/**
 * Inline execution: the tasks of one engine, earliest first, and the state of its random numbers. First member of struct doca_pe.
 * Zero-initialise.
 */
struct sd_inline {
	struct doca_task *tasks;
	uint64_t random;
	uint64_t run;			/**< run of the field random; 0: none yet */
	struct sd_worker worker;
};

/** An execution mode: a static table. Thread: the program's, except for open and close. */
struct sd_execution {
	/** Called when the first context starts. INITIALIZATION: a resource is missing. */
	doca_error_t (*open)(void);
	/** Called when the last context has stopped: frees everything. No task is queued or executing. */
	void (*close)(void);
	/** Queues a task for execution. Never fails: the pools bound the number of tasks. */
	void (*queue)(struct doca_task *task);
	/** Completes an executed task after the delay of its fault. */
	void (*delay)(struct doca_task *task);
	/**
	 * Removes and returns, as a list, all tasks of a context whose execution has not started, or has not ended in the
	 * timing model.
	 */
	struct doca_task *(*cancel)(struct doca_ctx *ctx);
	/** Returns whether tasks wait while this one is executed. Thread: the one that executes the task. */
	uint8_t (*has_others)(const struct doca_task *task);
};

extern const struct sd_execution sd_execution_threads;
extern const struct sd_execution sd_execution_inline;

/** Functions of the progress engine that the device calls. */
struct sd_device_client {
	/** Returns an executed task. Thread: any. */
	void (*executed)(struct doca_task *task);
	/** Same as executed. Thread: the program's. */
	void (*ended)(struct doca_task *task);
	/** Stops all started contexts that use the lost device of this started context. Thread: any. */
	void (*device_lost)(struct doca_ctx *ctx);
	/** Wakes the program of an engine with work. Thread: the program's. */
	void (*wake)(struct doca_pe *pe);
};

extern const struct sd_device_client *sd_device_client;	/* fixed while a context is started */

/** @name Lifetime */
/** @{ */
/** Registers a started context. INITIALIZATION: the environment has invalid settings, or no threads are available. */
doca_error_t sd_device_acquire(const struct sd_device_client *client);
/** Unregisters a stopped context. */
void sd_device_release(void);
/** Prevents contexts from starting until sd_device_unlock(). Returns 0 without a lock if a context is started. */
uint8_t sd_device_lock_unused(void);
void sd_device_unlock(void);
/** Restarts the random numbers of inline execution and sets the virtual clock to 0. */
void sd_device_begin_run(void);
/** @} */

/** @name Work; program's thread */
/** @{ */
void sd_device_queue(struct doca_task *task);
/** See struct sd_execution. */
void sd_device_delay(struct doca_task *task);
/** See struct sd_execution. */
struct doca_task *sd_device_cancel(struct doca_ctx *ctx);
/** See struct sd_execution. */
uint8_t sd_device_has_others(const struct doca_task *task);
/** Inline execution: runs the next due task of this engine, if any. Returns 1 if it ran one. */
uint8_t sd_device_step(struct doca_pe *pe);
/** Inline execution: returns the engine's next random number from the seed, or a random time shortly after now. */
uint64_t sd_device_draw(struct doca_pe *pe);
uint64_t sd_device_draw_due(struct doca_pe *pe);
/** Inline execution: returns whether sd_device_step() would run a task. */
uint8_t sd_device_has_work(const struct doca_pe *pe);
/** Inline execution: returns the virtual time of the engine's next task; UINT64_MAX: none. */
uint64_t sd_device_next_due(const struct doca_pe *pe);
/** @} */

/**
 * Executes a task on this thread, with the faults of its submission; sets its status. Returns 0 if the library continues the
 * task: the caller must not use it.
 */
uint8_t sd_task_execute(struct doca_task *task, struct sd_worker *worker);
/** Frees the state that a thread holds for the libraries. */
void sd_worker_close(struct sd_worker *worker);

/** @name Clock */
/** @{ */
/** Returns nanoseconds on the device's clock: monotonic time ("threads") or virtual time ("inline"). */
uint64_t sd_clock_now(void);
uint64_t sd_clock_virtual_now(void);
/** Returns whether virtual time may jump to the next due action. */
uint8_t sd_clock_jumps(void);
/** Lets only sd_clock_advance() move virtual time, or stops that. */
void sd_clock_set_manual(uint8_t manual);
void sd_clock_advance(uint64_t ns);
/** Moves virtual time forward to then; does nothing if it is later already. */
void sd_clock_jump(uint64_t then);
void sd_clock_reset(void);
/** @} */

#endif
