/*
 * A message is sent, and a fault delays the completion of its task: a stop of the context waits for it, and the task succeeds.
 * The clock is manual, so the stop always precedes the completion.
 */
#include "comch_rig.h"

enum { DELAY_NS = 5000000, TURNS = 10 };

static struct side server, client;

static void turns(void)
{
	for (int i = 0; i < TURNS; i++) {
		side_progress(&client);
		side_progress(&server);
	}
}

int main(void)
{
	struct softdpu_fault_counters counters;

	make_own_folder();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	sides_open(&server, &client, "late");
	softdpu_clock_set_manual(1);
	CHECK_OK(softdpu_faults_set("comch-send:delay=5ms"));
	CHECK_OK(side_send(&client, "late", 4));
	turns();
	CHECK_EQ(client.num_sent, 0);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.delayed, 1);

	CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
	turns();
	CHECK_EQ(client.num_sent + client.num_failed, 0);
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_STOPPING);
	CHECK_OK(softdpu_clock_advance(DELAY_NS));
	SIDE_PROGRESS_UNTIL(&server, &client, client.num_sent == 1 && side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(server.num_received, 1);
	softdpu_faults_clear();
	softdpu_clock_set_manual(0);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
