/*
 * Events that other threads post to contexts. Each event gets a separate progress call, in order, and wakes a sleeping program.
 * Its context is not IDLE before the event has run.
 */
#include <poll.h>
#include <pthread.h>

#include "plain_library.h"

enum { EVENTS = 5000 };

struct numbered {
	struct sd_event event;
	int number;
};

static struct numbered *posted;
static int num_run;
static uint8_t is_noticeable = 1;

static uint8_t run_numbered(struct sd_event *event)
{
	CHECK_EQ(((struct numbered *)event)->number, num_run);
	num_run++;
	return is_noticeable;
}

static void *post_all(void *argument)
{
	struct plain *plain = argument;

	for (int i = 0; i < EVENTS; i++) {
		posted[i].number = i;
		sd_context_post_event(&plain->ctx, &posted[i].event, run_numbered);
	}
	return NULL;
}

/* A sleeping event loop, with a thread that posts all the time. */
static void sleeping(struct plain *plain)
{
	struct pollfd fd = { .events = POLLIN };
	pthread_t thread;

	num_run = 0;
	CHECK_OK(doca_pe_get_notification_handle(plain->pe, &fd.fd));
	CHECK(pthread_create(&thread, NULL, post_all, plain) == 0);
	while (num_run < EVENTS) {
		int before = num_run;

		while (doca_pe_progress(plain->pe))
			CHECK_EQ(num_run, ++before); /* one event per call */
		if (num_run == EVENTS)
			break;
		CHECK_OK(doca_pe_request_notification(plain->pe));
		CHECK_EQ(poll(&fd, 1, RIG_LIMIT_S * 1000), 1);
		CHECK_OK(doca_pe_clear_notification(plain->pe, fd.fd));
		CHECK_EQ(poll(&fd, 1, 0), 0); /* unreadable, although a thread posts */
	}
	CHECK(pthread_join(thread, NULL) == 0);
}

/* Library-internal steps do not count as progress. */
static void silent(struct plain *plain)
{
	num_run = 0;
	is_noticeable = 0;
	for (int i = 0; i < 10; i++) {
		posted[i].number = i;
		sd_context_post_event(&plain->ctx, &posted[i].event, run_numbered);
	}
	CHECK_EQ(doca_pe_progress(plain->pe), 0);
	CHECK_EQ(num_run, 10);
	is_noticeable = 1;
}

static uint8_t end_business(struct sd_event *event)
{
	((struct plain *)event->ctx)->busy = 0;
	return 0;
}

/* STOPPING lasts while the library is busy, and ends with the event that ends its work. */
static void busy(struct plain *plain)
{
	struct sd_event event = { 0 };

	plain->busy = 1;
	plain->num_states = 0;
	CHECK_ERROR(doca_ctx_stop(&plain->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(doca_pe_progress(plain->pe), 0);
	sd_context_post_event(&plain->ctx, &event, end_business);
	CHECK_EQ(doca_pe_progress(plain->pe), 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_IDLE);
	CHECK_EQ(plain->num_states, 2);
	CHECK_OK(doca_ctx_start(&plain->ctx));
}

/* A waiting event is delivered before IDLE. */
static void stop_with_event(struct plain *plain)
{
	num_run = 0;
	posted[0].number = 0;
	sd_context_post_event(&plain->ctx, &posted[0].event, run_numbered);
	CHECK_ERROR(doca_ctx_stop(&plain->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(doca_pe_progress(plain->pe), 1);
	CHECK_EQ(num_run, 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(doca_pe_progress(plain->pe), 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_IDLE);
}

int main(void)
{
	struct plain plain;
	struct doca_pe *pe;

	posted = calloc(EVENTS, sizeof(*posted));
	CHECK_OK(doca_pe_create(&pe));
	plain_open(&plain, pe);
	CHECK_OK(doca_ctx_start(&plain.ctx));
	sleeping(&plain);
	silent(&plain);
	busy(&plain);
	stop_with_event(&plain);
	CHECK_OK(sd_context_fini(&plain.ctx));
	CHECK_OK(doca_pe_destroy(pe));
	free(posted);
	rig_check_nothing_is_left();
	return 0;
}
