#include "engine.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

#define SPIN_NS 100000u
#define PARK_MS 5
/* Retries are continuous for this time, then once per millisecond. */
#define EAGER_NS 1000000u
#define EAGER_PARK_MS 1
#define PROGRESS_BUDGET 256u
#define TURNS_PER_LOOK 64u

volatile sig_atomic_t engine_has_signal;

uint64_t engine_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool engine_open(struct engine *engine, enum idle idle, uint64_t timeout_ms)
{
	struct epoll_event event = { .events = EPOLLIN };

	memset(engine, 0, sizeof(*engine));
	engine->epoll = -1;
	engine->idle = idle;
	engine->timeout_ns = timeout_ms * 1000000u;
	engine->now_ns = engine_clock_ns();
	if (!report(doca_pe_create(&engine->pe), "doca_pe_create", "progress engine"))
		return false;
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (engine->epoll < 0)
		report_system("epoll_create1", "progress engine");
	else if (report(doca_pe_get_notification_handle(engine->pe, &engine->handle), "doca_pe_get_notification_handle",
			"progress engine") &&
		 (epoll_ctl(engine->epoll, EPOLL_CTL_ADD, engine->handle, &event) == 0 ||
		  report_system("epoll_ctl", "progress engine")))
		return true;
	engine_close(engine);
	return false;
}

bool engine_close(struct engine *engine)
{
	bool clean = !engine->failed;

	if (engine->pe != NULL)
		clean = report(doca_pe_destroy(engine->pe), "doca_pe_destroy", "progress engine") && clean;
	if (engine->epoll >= 0)
		close(engine->epoll);
	engine->pe = NULL;
	engine->epoll = -1;
	return clean;
}

bool engine_progress(struct engine *engine)
{
	unsigned int events = 0;

	if (++engine->turns % TURNS_PER_LOOK == 0)
		engine->now_ns = engine_clock_ns();
	while (events < PROGRESS_BUDGET && doca_pe_progress(engine->pe))
		events++;
	if (events > 0)
		engine->idle_since_ns = 0;
	return events > 0;
}

static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* An event that is ready when the notification is armed ends the sleep too, so no event is lost in between. */
static void sleep_for_event(struct engine *engine, int timeout_ms)
{
	struct epoll_event event;

	engine->sleeps++;
	if (!report(doca_pe_request_notification(engine->pe), "doca_pe_request_notification", "progress engine"))
		engine->failed = true;
	if (epoll_wait(engine->epoll, &event, 1, timeout_ms) < 0 && errno != EINTR)
		engine->failed = !report_system("epoll_wait", "progress engine");
	if (!report(doca_pe_clear_notification(engine->pe, engine->handle), "doca_pe_clear_notification", "progress engine"))
		engine->failed = true;
	engine->now_ns = engine_clock_ns();
}

void engine_rest(struct engine *engine, bool eager)
{
	uint64_t spin_ns = eager ? EAGER_NS : engine->idle == IDLE_ADAPTIVE ? SPIN_NS : 0;

	if (engine->idle == IDLE_BUSY) {
		relax();
		return;
	}
	if (spin_ns > 0) {
		engine->now_ns = engine_clock_ns();
		if (engine->idle_since_ns == 0)
			engine->idle_since_ns = engine->now_ns;
		if (engine->now_ns - engine->idle_since_ns < spin_ns) {
			sched_yield(); /* the peer or the device may need this processor */
			return;
		}
	}
	sleep_for_event(engine, eager ? EAGER_PARK_MS : PARK_MS);
}

bool engine_is_late(const struct engine *engine, uint64_t since_ns)
{
	return engine->now_ns > since_ns && engine->now_ns - since_ns > engine->timeout_ns;
}

/* AGAIN, IN_USE and IN_PROGRESS have the same meaning: call again and poll. */
bool engine_stops(struct doca_ctx *ctx)
{
	static const struct doca_ctx *reported; /* printed once, although this function runs many times */
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	doca_error_t result = doca_ctx_get_state(ctx, &state);

	if (result == DOCA_SUCCESS && (state == DOCA_CTX_STATE_STARTING || state == DOCA_CTX_STATE_RUNNING)) {
		result = doca_ctx_stop(ctx);
		if (result != DOCA_ERROR_AGAIN && result != DOCA_ERROR_IN_USE && result != DOCA_ERROR_IN_PROGRESS &&
		    reported != ctx && !report(result, "doca_ctx_stop", "context"))
			reported = ctx;
		doca_ctx_get_state(ctx, &state);
	}
	return state == DOCA_CTX_STATE_IDLE;
}

static void on_signal(int signal_number)
{
	(void)signal_number;
	engine_has_signal = 1;
}

void engine_catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
}
