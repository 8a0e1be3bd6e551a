/* Trials of a client: keeps a window of tasks in flight, checks the content, prints the result. */
#include "rdma_client.h"

#include <stdio.h>
#include <string.h>

#include "report.h"

/* Sets the slots' buffers and their contents for one kind. */
static bool aim(struct client *client, const struct work_kind *kind)
{
	const size_t size = client->options->size;
	bool reads = kind == &work_rdma_read;
	uint32_t i;

	work_set_kind(client->work, kind);
	for (i = 0; i < client->options->parallel; i++) {
		const struct work_buffers *pair = &client->pairs[i];
		uint8_t *addr = reads ? client->remote + (i % client->places) * size : client->local.base + i * size;

		client->buffers[i].src = reads ? pair->dst : pair->src;
		client->buffers[i].dst = kind == &work_rdma_send ? NULL : reads ? pair->src : pair->dst;
		if (!report(doca_buf_set_data(client->buffers[i].src, addr, size), "doca_buf_set_data", "%s", kind->name))
			return false;
	}
	return true;
}

/* Returns the number of tasks that may be submitted now, of rest. */
static uint64_t allowed(struct client *client, const struct work_kind *kind, uint64_t rest)
{
	uint64_t room = RDMA_UNHANDLED - client->unhandled;

	if (kind != &work_rdma_send)
		return rest;
	if (rest > room)
		rest = room;
	client->unhandled += rest;
	return rest;
}

static bool advance(struct client *client, const struct work_kind *kind, uint64_t count)
{
	struct engine *engine = client->engine;
	uint64_t planned = allowed(client, kind, count), since_ns = engine_clock_ns(), done = 0;
	const struct work_plan plan = {
		.buffers = client->buffers, .by_slot = true, .count = planned, .times_ns = client->times_ns
	};

	work_begin(client->work, &plan);
	while (work_done(client->work) < count && !work_has_failed(client->work) && !client->is_over) {
		bool busy = engine_progress(engine);
		uint64_t more = planned < count ? allowed(client, kind, count - planned) : 0;

		planned += more;
		if (more > 0)
			work_extend(client->work, more);
		work_turn(client->work);
		if (work_done(client->work) != done) {
			done = work_done(client->work);
			since_ns = engine->now_ns;
		} else if (engine_is_late(engine, since_ns)) {
			return report(DOCA_ERROR_TIME_OUT, "doca_task", "%s task after %llu done", kind->name,
				      (unsigned long long)done);
		}
		if (!busy)
			engine_rest(engine, work_is_eager(client->work));
		if (engine->failed || client->inbox.failed)
			return false;
	}
	return work_done(client->work) == count ||
	       report_fault("the connection ended after %llu tasks", (unsigned long long)work_done(client->work));
}

/* Runs tasks of a kind. */
static bool run(struct client *client, const struct work_kind *kind, uint64_t count)
{
	return aim(client, kind) && advance(client, kind, count);
}

/* Slots with the same part of the server's memory have the same content. */
static void fill(struct client *client, bool spoil)
{
	const size_t size = client->options->size;

	for (uint32_t i = 0; i < client->options->parallel; i++) {
		uint32_t place = i % client->places;

		memset(client->local.base + i * size, (int)((spoil ? ~place : place) & 0xff), size);
	}
}

/* Fewer tasks than slots leave the other slots as they were. */
static bool is_filled(const struct client *client)
{
	const struct options *options = client->options;
	const uint64_t used = options->count < options->parallel ? options->count : options->parallel;
	const size_t size = options->size;
	uint64_t i;

	for (i = 0; i < used; i++) {
		const uint8_t *block = client->local.base + i * size;

		if (block[0] != ((i % client->places) & 0xff) || memcmp(block, block + 1, size - 1) != 0)
			return false;
	}
	return true;
}

static bool print(const struct client *client, uint64_t elapsed_ns, bool is_wrong)
{
	const struct options *options = client->options;
	uint64_t count = options->count;

	report_begin();
	printf(",\"operation\":\"%s\",\"size\":%llu,\"count\":%llu,\"parallel\":%llu", client->kind->name,
	       (unsigned long long)options->size, (unsigned long long)count, (unsigned long long)options->parallel);
	report_rate(count * options->size, elapsed_ns);
	printf(",\"tasks_per_second\":%.1f", (double)count / ((double)elapsed_ns / 1e9));
	report_times(client->times_ns, count);
	printf(",\"verified\":%s,\"data_error\":%s", options->verify ? "true" : "false", is_wrong ? "true" : "false");
	return report_end();
}

/* The tasks that prepare and check are not in the measured time. */
bool rdma_run_trial(struct client *client)
{
	const struct options *options = client->options;
	const uint64_t window = options->parallel;
	const bool verify = options->verify, reads = client->kind == &work_rdma_read;
	uint64_t elapsed_ns;
	bool is_wrong;

	if (verify)
		fill(client, false);
	if (verify && reads && !run(client, &work_rdma_write, window))
		return false;
	if (verify && reads)
		fill(client, true);
	if (!run(client, client->kind, options->count))
		return false;
	elapsed_ns = work_elapsed_ns(client->work);
	if (verify && !reads) {
		uint64_t *times_ns = client->times_ns;
		bool done;

		fill(client, true);
		client->times_ns = NULL;
		done = run(client, &work_rdma_read, window);
		client->times_ns = times_ns;
		if (!done)
			return false;
	}
	is_wrong = verify && !is_filled(client);
	return print(client, elapsed_ns, is_wrong) && (!is_wrong || report_fault("the content is wrong"));
}
