/*
 * Polling, sleeping and waking.
 *
 *   foreign thread: old = fetch_or(wake_bits, bit); if (old == ASLEEP) write(eventfd)
 *   owner:          poll until a bit, a record, or the time limit; old = fetch_or(wake_bits, ASLEEP); old == 0 ? sleep : return
 *
 * Of the owner and a foreign thread, the second one sees the bit of the first. Either the owner does not sleep, or the foreign
 * thread writes the eventfd. A burst costs one system call, and none while the owner is awake. A write may arrive after the
 * end of the sleep. The next poll then returns without a reason, and the owner sleeps again.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/symbols.h"
#include "progress/progress.h"
#include "queue/pump.h"
#include "queue/retry.h"
#include "ring/overflow.h"
#include "ring/ring.h"

enum { WOKEN_BY_DEVICE = 1, WOKEN_BY_CALL = 2, FAILED = -1 };

/* Returns the reasons not to sleep; consumes a dpubridge_wake call. Leaves queued and unread records to enter and the caller. */
static int32_t take_reasons(struct dpubridge *bridge)
{
	uint32_t bits = atomic_load_explicit(&bridge->wake_bits, memory_order_acquire);
	int32_t reasons = 0;

	if ((bits & BRIDGE_WAKE_OVERFLOW) || bridge_ring_unread(bridge) != 0)
		reasons |= WOKEN_BY_DEVICE;
	if (bits & BRIDGE_WAKE_CALLED) {
		atomic_fetch_and_explicit(&bridge->wake_bits, ~(uint32_t)BRIDGE_WAKE_CALLED, memory_order_acq_rel);
		reasons |= WOKEN_BY_CALL;
	}
	return reasons;
}

static uint64_t after_ns(uint64_t time_ns)
{
	uint64_t now = bridge_now_ns();

	return time_ns < UINT64_MAX - now ? now + time_ns : UINT64_MAX;
}

static uint64_t earlier(uint64_t one_ns, uint64_t other_ns)
{
	return one_ns < other_ns ? one_ns : other_ns;
}

/* Polls once; returns WOKEN_BY_DEVICE, 0 or FAILED. */
static int32_t poll_once(struct dpubridge *bridge, uint64_t timeout_ns)
{
	struct pollfd fds[] = { { .fd = bridge->pe_fd, .events = POLLIN }, { .fd = bridge->wake_fd, .events = POLLIN } };
	struct timespec timeout = { .tv_sec = (time_t)(timeout_ns / BRIDGE_NS_PER_S), .tv_nsec = (long)(timeout_ns % BRIDGE_NS_PER_S) };
	eventfd_t ignored;

	if (ppoll(fds, 2, &timeout, NULL) < 0) {
		if (errno == EINTR)
			return 0;
		bridge_error_set("dpubridge_wait: ppoll: %m");
		return FAILED;
	}
	if (fds[0].revents & POLLNVAL) {
		bridge_error_set("dpubridge_wait: the progress engine's handle %d is closed", bridge->pe_fd);
		return FAILED;
	}
	if (fds[1].revents != 0)
		(void)eventfd_read(bridge->wake_fd, &ignored);
	return fds[0].revents != 0 ? WOKEN_BY_DEVICE : 0;
}

/* Returns whether the owner may sleep: no bit was set since the last check. */
static bool fall_asleep(struct dpubridge *bridge)
{
	return atomic_fetch_or_explicit(&bridge->wake_bits, BRIDGE_ASLEEP, memory_order_acq_rel) == 0;
}

static void wake_up(struct dpubridge *bridge)
{
	atomic_fetch_and_explicit(&bridge->wake_bits, ~(uint32_t)BRIDGE_ASLEEP, memory_order_acq_rel);
}

static int32_t sleep_until(struct dpubridge *bridge, uint64_t end_ns)
{
	for (;;) {
		uint64_t now = bridge_now_ns();
		uint64_t left_ns = now < end_ns ? end_ns - now : 0;
		int32_t reasons = fall_asleep(bridge) ? poll_once(bridge, left_ns) : 0;

		wake_up(bridge);
		if (reasons == FAILED)
			return FAILED;
		reasons |= take_reasons(bridge);
		if (reasons != 0 || left_ns == 0)
			return reasons;
	}
}

/* Yields: the device's thread, whose work the owner waits for, often last ran on this processor. */
static void yield_processor(void)
{
	sched_yield();
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* No event wakes a sleeper when DOCA could accept a refused entry: the owner polls for a while, then sleeps until the next retry. */
static int32_t retry_promptly(struct dpubridge *bridge, uint64_t end_ns, uint32_t budget)
{
	int32_t reasons = 0;
	uint64_t at_ns;

	while (reasons == 0 && bridge_retry_is_prompt(bridge, at_ns = bridge_now_ns()) && at_ns < end_ns) {
		bridge_progress(bridge, budget);
		bridge_queues_retry(bridge);
		sched_yield(); /* the peer, which has to post, may need this processor */
		reasons = take_reasons(bridge);
	}
	return bridge_retry_waits(bridge) ? reasons : reasons | WOKEN_BY_DEVICE;
}

/* Returns the time of the next retry, if it is earlier than a time limit. */
static uint64_t until_retry(const struct dpubridge *bridge, uint64_t end_ns)
{
	return bridge_retry_waits(bridge) ? earlier(end_ns, after_ns(dpubridge_retry_ns(bridge))) : end_ns;
}

static int32_t fail(int status, const char *operation)
{
	bridge_error_set("dpubridge_wait: %s: %s", operation, bridge_doca.error_get_name(status));
	return FAILED;
}

/* Sleeps once; returns the reason of its end. */
static int32_t sleep_armed(struct dpubridge *bridge, uint64_t end_ns)
{
	int status = bridge_doca.pe_request_notification(bridge->pe);
	int32_t reasons;

	if (status != DOCA_SUCCESS)
		return fail(status, "doca_pe_request_notification");
	/* A library may report an event during the request. */
	reasons = take_reasons(bridge);
	if (reasons == 0) {
		bridge_count(bridge, DPUBRIDGE_COUNTER_WAITS);
		reasons = sleep_until(bridge, end_ns);
	}
	status = bridge_doca.pe_clear_notification(bridge->pe, bridge->pe_fd);
	if (status != DOCA_SUCCESS && reasons != FAILED)
		return fail(status, "doca_pe_clear_notification");
	return reasons;
}

/*
 * Progresses the device at least once, and until it has made no progress for poll_ns. The callback of each completed task submits
 * the next waiting entry. Returns the reasons to return to the caller; most tasks of a batch give none.
 */
static int32_t poll_device(struct dpubridge *bridge, uint64_t end_ns, uint64_t poll_ns, uint32_t budget, void (*pause)(void))
{
	const uint64_t *progressed = &bridge->header->counters[DPUBRIDGE_COUNTER_PROGRESSED];
	uint64_t idle_since_ns = bridge_now_ns();

	end_ns = until_retry(bridge, end_ns);
	for (;;) {
		uint64_t before = *progressed;
		bool has_room = bridge_progress(bridge, budget);
		int32_t reasons = take_reasons(bridge) | (has_room ? 0 : WOKEN_BY_DEVICE);
		uint64_t at_ns = bridge_now_ns();

		if (*progressed != before)
			idle_since_ns = at_ns;
		if (reasons != 0 || bridge_retry_is_prompt(bridge, at_ns) || at_ns >= end_ns || at_ns - idle_since_ns >= poll_ns)
			return reasons;
		pause();
	}
}

uint32_t dpubridge_poll(struct dpubridge *bridge, uint32_t budget, uint64_t poll_ns)
{
	uint32_t unread = dpubridge_enter(bridge, budget);

	if (unread != 0 || budget == 0)
		return unread;
	poll_device(bridge, after_ns(poll_ns), poll_ns, budget, relax);
	bridge_overflow_deliver(bridge);
	return bridge_ring_unread(bridge);
}

/* Sleeps, and polls after the device ended the sleep. Returns the reasons to return to the caller, 0 when there is no record. */
static int32_t sleep_and_poll(struct dpubridge *bridge, uint64_t bound_ns, uint64_t end_ns, uint64_t spin_ns, uint32_t budget)
{
	int32_t reasons;

	if (bridge_retry_is_prompt(bridge, bridge_now_ns()))
		reasons = retry_promptly(bridge, bound_ns, budget);
	else
		reasons = sleep_armed(bridge, until_retry(bridge, bound_ns));
	if (reasons <= 0 || !(reasons & WOKEN_BY_DEVICE) || budget == 0)
		return reasons;
	reasons &= ~WOKEN_BY_DEVICE;
	return reasons | poll_device(bridge, end_ns, reasons == 0 ? spin_ns : 0, budget, yield_processor);
}

int32_t dpubridge_wait(struct dpubridge *bridge, uint64_t timeout_ns, uint64_t quiet_ns, uint64_t spin_ns, uint32_t budget)
{
	const uint64_t *progressed = &bridge->header->counters[DPUBRIDGE_COUNTER_PROGRESSED];
	uint64_t end_ns, bound_ns, before;
	int32_t reasons;

	if (!bridge_require_owner(bridge, "dpubridge_wait"))
		return FAILED;
	reasons = take_reasons(bridge);
	if (reasons != 0)
		return reasons;
	before = *progressed;
	end_ns = after_ns(timeout_ns);
	bound_ns = earlier(end_ns, after_ns(quiet_ns));
	spin_ns = earlier(spin_ns, quiet_ns);
	if (spin_ns != 0 && budget != 0)
		reasons = poll_device(bridge, end_ns, spin_ns, budget, yield_processor);
	while (reasons == 0) {
		if (*progressed != before)
			bound_ns = earlier(end_ns, after_ns(quiet_ns));
		before = *progressed;
		reasons = sleep_and_poll(bridge, bound_ns, end_ns, spin_ns, budget);
		if (bridge_retry_waits(bridge) && !bridge_retry_is_prompt(bridge, bridge_now_ns()))
			break; /* the next enter submits the refused entries again */
		if (bridge_now_ns() >= (*progressed == before ? bound_ns : end_ns))
			break;
	}
	return reasons;
}
