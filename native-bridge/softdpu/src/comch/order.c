/*
 * Orders a connection's events after the completions of its sends.
 *
 * A peer that has received its data may stop its consumer, or disconnect, at once. The program then receives three reports: the
 * completion of its send, the end of the consumer, the end of the connection. The first belongs to the producer's context, the
 * others to the control context. The engine alone could report them in any order. Therefore two numbers count unreported sends,
 * per consumer and per connection:
 *
 *   any thread          increments the numbers, then makes the result of the send visible to the peer
 *   program's thread    queues the end of a consumer or connection until its number is 0; later events queue behind it
 *   program's thread    decrements the numbers, then calls the callback of the send; 0 releases the queued events, in order
 *
 * The wait is finite, because a consumer or connection that has ended accepts no new sends. Producers of other engines do not
 * count: the reports of two engines have no order.
 */
#include <stdatomic.h>

#include "sd_comch.h"
#include "sd_list.h"

static uint8_t may_run(const struct comch_event *event)
{
	return event->awaited == NULL || atomic_load(event->awaited) == 0;
}

static void append(struct doca_comch_connection *connection, struct comch_event *event)
{
	SD_APPEND(connection->waiting_head, connection->waiting_tail, event, next_waiting);
	connection->control->num_waiting++;
}

static uint8_t run_in_order(struct sd_event *base)
{
	struct comch_event *event = (struct comch_event *)base;

	if (event->connection->waiting_head == NULL && may_run(event))
		return event->run(base);
	append(event->connection, event);
	return 0;
}

void comch_connection_post_behind(struct doca_comch_connection *connection, struct comch_event *event,
				  uint8_t (*run)(struct sd_event *event), const _Atomic uint32_t *awaited)
{
	if (!connection->is_attached)
		return;
	comch_connection_ref(connection);
	event->connection = connection;
	event->run = run;
	event->awaited = awaited;
	sd_context_post_event(&connection->control->ctx, &event->event, run_in_order);
}

void comch_connection_post(struct doca_comch_connection *connection, struct comch_event *event,
			   uint8_t (*run)(struct sd_event *event))
{
	comch_connection_post_behind(connection, event, run, NULL);
}

/* Runs one queued event per progress call. The event holds a reference to its connection; run() may release it. */
static uint8_t run_release(struct sd_event *base)
{
	struct doca_comch_connection *connection = SD_OWNER(base, struct doca_comch_connection, release_event);
	struct comch_event *event = connection->waiting_head;

	connection->is_release_posted = 0;
	connection->waiting_head = event->next_waiting;
	connection->control->num_waiting--;
	comch_connection_release(connection);
	return event->run(&event->event);
}

void comch_connection_release(struct doca_comch_connection *connection)
{
	if (connection->waiting_head == NULL || connection->is_release_posted || !may_run(connection->waiting_head))
		return;
	connection->is_release_posted = 1;
	sd_context_post_event(&connection->control->ctx, &connection->release_event, run_release);
}

uint8_t comch_control_is_busy(const struct doca_ctx *ctx)
{
	return ((const struct comch_control *)ctx)->num_waiting > 0;
}
