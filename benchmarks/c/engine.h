/*
 * A progress engine with an idle strategy and a clock. One thread.
 *
 *	for (;;) { busy = engine_progress(); ...own work...; if (!busy) engine_rest(); }
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_ctx.h>
#include <doca_pe.h>

/** What to do when nothing happened: as `dpu.engine.idle` of the actors' engine. */
enum idle {
	IDLE_BUSY,	/* look again at once */
	IDLE_ADAPTIVE,	/* look again for 100 us, then sleep, at most 5 ms */
	IDLE_EVENT,	/* sleep at once, at most 5 ms */
};

struct engine {
	struct doca_pe *pe;
	int epoll;
	doca_notification_handle_t handle;
	enum idle idle;
	uint64_t timeout_ns;	/* for things that make no headway */
	uint64_t now_ns;	/* a recent look at the clock, cheap to read */
	uint64_t idle_since_ns; /* 0: not idle */
	uint64_t turns;
	uint64_t sleeps;
	bool failed;
};

/** Nanoseconds on a clock that only goes forward. */
uint64_t engine_clock_ns(void);

/** False on failure, which was printed. */
bool engine_open(struct engine *engine, enum idle idle, uint64_t timeout_ms);
/** Everything connected must have been destroyed. False when something would not go; printed. */
bool engine_close(struct engine *engine);

/** Let things happen, a bounded number. Returns whether there was something. */
bool engine_progress(struct engine *engine);
/** Nothing happened: wait by the idle strategy. eager: something is to be tried again soon, so do not wait for the device alone. */
void engine_rest(struct engine *engine, bool eager);
/** Whether since_ns is so long ago that what began then is given up. */
bool engine_is_late(const struct engine *engine, uint64_t since_ns);

/** One step of stopping a context, to be repeated between calls of engine_progress(). Returns whether it is IDLE. */
bool engine_stops(struct doca_ctx *ctx);

/** Let SIGTERM and SIGINT set engine_was_told_to_stop. */
void engine_catch_signals(void);
extern volatile sig_atomic_t engine_was_told_to_stop;

#endif
