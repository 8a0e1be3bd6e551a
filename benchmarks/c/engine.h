/*
 * A progress engine with an idle strategy and a clock. One thread.
 *
 *	for (;;) { busy = engine_progress(); ...other work...; if (!busy) engine_rest(); }
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_ctx.h>
#include <doca_pe.h>

/** Idle strategies, as `dpu.engine.idle` of the actors' engine. */
enum idle {
	IDLE_BUSY,	/* poll again at once */
	IDLE_ADAPTIVE,	/* poll for 100 us, then sleep, at most 5 ms */
	IDLE_EVENT,	/* sleep at once, at most 5 ms */
};

struct engine {
	struct doca_pe *pe;
	int epoll;
	doca_notification_handle_t handle;
	enum idle idle;
	uint64_t timeout_ns;	/* for operations without progress */
	uint64_t now_ns;	/* a recent reading of the clock */
	uint64_t idle_since_ns; /* 0: not idle */
	uint64_t turns;
	uint64_t sleeps;
	bool failed;
};

/** Returns nanoseconds of a monotonic clock. */
uint64_t engine_clock_ns(void);

/** Opens an engine. On failure prints an error and returns false. */
bool engine_open(struct engine *engine, enum idle idle, uint64_t timeout_ms);
/** Closes an engine whose contexts have been destroyed. On failure prints an error and returns false. */
bool engine_close(struct engine *engine);

/** Makes progress, a bounded amount. Returns whether there was an event. */
bool engine_progress(struct engine *engine);
/**
 * Waits by the idle strategy, after a progress without events. eager: a retry is due soon, so the engine must not wait for the
 * device only.
 */
void engine_rest(struct engine *engine, bool eager);
/** Returns whether the time-out since since_ns has passed. */
bool engine_is_late(const struct engine *engine, uint64_t since_ns);

/** Runs one step of stopping a context; repeat between calls of engine_progress(). Returns whether the context is IDLE. */
bool engine_stops(struct doca_ctx *ctx);

/** Makes SIGTERM and SIGINT set engine_has_signal. */
void engine_catch_signals(void);
extern volatile sig_atomic_t engine_has_signal;

#endif
