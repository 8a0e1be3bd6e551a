/* Consumers and producers on separate engines and threads, several of them on one connection, both directions at once. */
#include <pthread.h>
#include <stdatomic.h>

#include "comch_data.h"

enum { LANES = 2, BLOCKS = 200 };

struct lane {
	struct doca_pe *pe;
	struct data consumer, producer;
	pthread_t thread;
};

static struct side server, client;
static struct lane lanes[2 * LANES];
static _Atomic int num_ready, num_done;

static void check_block(struct data *data, struct doca_task *task)
{
	uint64_t n = doca_task_get_user_data(task).u64, sent;

	CHECK_OK(doca_task_get_status(task));
	memcpy(&sent, data->last_imm, sizeof(sent));
	CHECK_EQ(sent, n);
	CHECK_EQ(data->memory[n % DATA_SLOTS * DATA_SLOT + 500], (uint8_t)n);
	doca_task_free(task);
}

/* Thread of a lane: its consumer receives from the other side's lane, its producer sends to that lane's consumer. */
static void *run_lane(void *argument)
{
	struct lane *lane = argument, *peer = &lanes[(lane - lanes + LANES) % (2 * LANES)];
	struct data *consumer = &lane->consumer, *producer = &lane->producer;
	uint64_t posted = 0, sent = 0;

	CHECK_ERROR(doca_ctx_start(consumer->ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(lane->pe, data_state(consumer) == DOCA_CTX_STATE_RUNNING);
	num_ready++;
	RIG_PROGRESS_UNTIL(lane->pe, num_ready == 2 * LANES);
	while (consumer->completed < BLOCKS || producer->completed < BLOCKS) {
		if (posted < BLOCKS && (int)posted < consumer->completed + DATA_TASKS / 2)
			CHECK_OK(data_post(consumer, posted++, DATA_SLOT));
		if (sent < BLOCKS && (int)sent < producer->completed + DATA_TASKS) {
			doca_error_t result;

			memset(producer->memory + sent % DATA_SLOTS * DATA_SLOT, (int)sent, 1000);
			result = data_send(producer, sent, 1000, &sent, sizeof(sent), peer->consumer.id);
			CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN);
			sent += result == DOCA_SUCCESS;
		}
		if (!doca_pe_progress(lane->pe))
			sched_yield();
	}
	num_done++;
	RIG_PROGRESS_UNTIL(lane->pe, num_done >= 2 * LANES); /* no lane stops while another one sends to it */
	data_stop(consumer, NULL, NULL);
	data_stop(producer, NULL, NULL);
	num_done++;
	return NULL;
}

int main(void)
{
	make_own_folder();
	CHECK_OK(softdpu_set_threads(3));
	sides_open(&server, &client, "engines");
	for (int i = 0; i < 2 * LANES; i++) {
		struct side *side = i < LANES ? &server : &client;

		CHECK_OK(doca_pe_create(&lanes[i].pe));
		data_create_consumer(&lanes[i].consumer, side, lanes[i].pe);
		lanes[i].consumer.on_ended = check_block;
		data_open_producer(&lanes[i].producer, side, lanes[i].pe);
	}
	for (int i = 0; i < 2 * LANES; i++)
		CHECK(pthread_create(&lanes[i].thread, NULL, run_lane, &lanes[i]) == 0);
	SIDE_PROGRESS_UNTIL(&server, &client, num_done == 4 * LANES);
	for (int i = 0; i < 2 * LANES; i++) {
		CHECK(pthread_join(lanes[i].thread, NULL) == 0);
		data_close(&lanes[i].consumer);
		data_close(&lanes[i].producer);
		CHECK_OK(doca_pe_destroy(lanes[i].pe));
	}
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_expired == LANES && client.num_expired == LANES);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
