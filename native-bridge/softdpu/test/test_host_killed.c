/*
 * A killed host is a dead process for its peers: connections end, and names are free. Its objects remain, fail in the next progress, and
 * can be destroyed or started again. In both execution modes.
 */
#include "comch_data.h"

enum { VICTIM = 7 };

static const char name[] = "mortal";
static struct side alive, dead;
static struct data consumer, producer;

#define BOTH_UNTIL(condition) SIDE_PROGRESS_UNTIL(&alive, &dead, condition)

/* Opens a server or a client of the victim, and its peer. */
static void open_sides(int is_server)
{
	CHECK_EQ(softdpu_enter_host(VICTIM), 0);
	if (is_server)
		side_create_server(&dead, name);
	else
		side_create_client(&dead, name);
	CHECK_EQ(softdpu_enter_host(0), VICTIM);
	if (is_server)
		side_create_client(&alive, name);
	else
		side_create_server(&alive, name);
	CHECK_OK(doca_ctx_start(is_server ? dead.ctx : alive.ctx));
	side_connect(is_server ? &dead : &alive, is_server ? &alive : &dead);
	BOTH_UNTIL(alive.connection != NULL && dead.connection != NULL);
}

/* The killed side never progresses until its objects are destroyed. */
static void server_is_killed(void)
{
	open_sides(1);
	CHECK_OK(side_send(&dead, "sent", 4));
	CHECK_OK(softdpu_faults_set("comch-link:delay=10s"));
	CHECK_OK(side_send(&dead, "lost", 4)); /* this packet has not left */
	softdpu_faults_clear();
	CHECK_OK(softdpu_kill_host(VICTIM));
	SIDE_PROGRESS_UNTIL(&alive, NULL, side_state(&alive) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(alive.num_received, 1);
	CHECK_EQ(alive.states[alive.num_states - 2], DOCA_CTX_STATE_STOPPING);
	CHECK_ERROR(doca_ctx_start(alive.ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&alive, NULL, side_state(&alive) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(alive.client), DOCA_ERROR_NOT_FOUND);
	CHECK_EQ(side_state(&dead), DOCA_CTX_STATE_RUNNING);

	SIDE_PROGRESS_UNTIL(&dead, NULL, side_state(&dead) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(dead.num_disconnected, 1);
	CHECK_EQ(dead.num_sent, 1);
	CHECK_EQ(dead.num_failed, 1);
	CHECK_ERROR(dead.last_status, DOCA_ERROR_CONNECTION_RESET);
	CHECK_OK(doca_ctx_start(dead.ctx)); /* the host restarts */
	side_connect(&dead, &alive);
	sides_close(&dead, &alive);
}

static void client_is_killed(void)
{
	open_sides(0);
	CHECK_OK(softdpu_kill_host(VICTIM));
	SIDE_PROGRESS_UNTIL(&alive, NULL, alive.num_disconnected == 1);
	CHECK_EQ(side_state(&dead), DOCA_CTX_STATE_RUNNING);
	SIDE_PROGRESS_UNTIL(&dead, NULL, side_state(&dead) == DOCA_CTX_STATE_IDLE);
	side_close(&dead, NULL);
	side_close(&alive, NULL);
	rig_check_nothing_is_left();
}

/* A message that a full receive queue holds back is lost, and its sender continues. */
static void receiver_is_killed(void)
{
	open_sides(0);
	for (int i = 0; i < COMCH_TASKS; i++)
		CHECK_OK(side_send(&alive, "flood", 5));
	CHECK_OK(softdpu_kill_host(VICTIM));
	SIDE_PROGRESS_UNTIL(&alive, NULL, alive.num_sent + alive.num_failed == COMCH_TASKS && alive.num_disconnected == 1);
	SIDE_PROGRESS_UNTIL(&dead, NULL, side_state(&dead) == DOCA_CTX_STATE_IDLE);
	side_close(&dead, NULL);
	side_close(&alive, NULL);
	rig_check_nothing_is_left();
}

/* Consumers and producers of the victim end with their connection, and posted receives of its peer end at once. */
static void consumers_are_killed(void)
{
	struct data own_consumer, own_producer;

	open_sides(1);
	data_create_consumer(&consumer, &dead, dead.pe);
	data_start_consumer(&consumer, &alive, &dead);
	data_open_producer(&producer, &dead, dead.pe);
	data_create_consumer(&own_consumer, &alive, alive.pe);
	data_start_consumer(&own_consumer, &alive, &dead);
	data_open_producer(&own_producer, &alive, alive.pe);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	CHECK_OK(data_post(&own_consumer, 0, DATA_SLOT));
	BOTH_UNTIL(alive.num_consumers == 1 && dead.num_consumers == 1);
	CHECK_OK(softdpu_kill_host(VICTIM));
	SIDE_PROGRESS_UNTIL(&alive, NULL, own_consumer.failed == 1);
	CHECK_ERROR(own_consumer.last_error, DOCA_ERROR_CONNECTION_RESET);
	if (data_send(&own_producer, 0, 10, NULL, 0, alive.new_ids[0]) == DOCA_SUCCESS)
		SIDE_PROGRESS_UNTIL(&alive, NULL, own_producer.failed == 1);
	CHECK_EQ(own_producer.completed, 0);
	data_stop(&own_consumer, &alive, NULL);
	data_stop(&own_producer, &alive, NULL);
	data_close(&own_consumer);
	data_close(&own_producer);
	SIDE_PROGRESS_UNTIL(&alive, NULL, side_state(&alive) == DOCA_CTX_STATE_IDLE);

	SIDE_PROGRESS_UNTIL(&dead, NULL,
			    side_state(&dead) == DOCA_CTX_STATE_IDLE && data_state(&consumer) == DOCA_CTX_STATE_IDLE &&
				    data_state(&producer) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(consumer.failed, 1);
	data_close(&consumer);
	data_close(&producer);
	side_close(&dead, NULL);
	side_close(&alive, NULL);
	rig_check_nothing_is_left();
}

/* Tasks of the victim end in its next progress, and no earlier. */
static void tasks_are_killed(void)
{
	uint8_t is_inline = softdpu_get_execution() == SOFTDPU_EXECUTION_INLINE;
	struct rig victim;

	softdpu_enter_host(VICTIM);
	rig_open(&victim, 8);
	softdpu_enter_host(0);
	CHECK_OK(doca_ctx_start(victim.ctx));
	for (uint64_t i = 0; i < 4; i++)
		rig_submit(&victim, i);
	CHECK(!is_inline || softdpu_clock_get_next() != UINT64_MAX);
	CHECK_OK(softdpu_kill_host(VICTIM));
	CHECK_OK(softdpu_kill_host(VICTIM)); /* no effect */
	CHECK(!is_inline || softdpu_clock_get_next() == UINT64_MAX);
	RIG_PROGRESS_UNTIL(victim.pe, rig_state(&victim) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(victim.completed + victim.failed, 4);
	CHECK(!is_inline || victim.failed == 4);
	CHECK_OK(doca_ctx_start(victim.ctx)); /* the host restarts */
	rig_submit(&victim, 4);
	RIG_PROGRESS_UNTIL(victim.pe, victim.completed + victim.failed == 5);
	CHECK_OK(victim.last_status);
	rig_close(&victim);
}

static void kill_in_callback(struct rig *rig, struct doca_task *task)
{
	(void)rig;
	CHECK_ERROR(softdpu_kill_host(0), DOCA_ERROR_BAD_STATE);
	doca_task_free(task);
}

static void refusals(void)
{
	struct rig rig;

	CHECK_ERROR(softdpu_kill_host(VICTIM), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(softdpu_kill_host(0), DOCA_ERROR_NOT_FOUND);
	rig_open(&rig, 1);
	rig.on_task = kill_in_callback;
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_submit(&rig, 0);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 1);
	CHECK_OK(doca_ctx_stop(rig.ctx));
	rig_close(&rig);
}

static void all(void)
{
	server_is_killed();
	client_is_killed();
	receiver_is_killed();
	consumers_are_killed();
	tasks_are_killed();
	refusals();
}

int main(void)
{
	make_own_folder();
	all();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	for (uint64_t seed = 1; seed <= 20; seed++) {
		CHECK_OK(softdpu_set_seed(seed));
		all();
	}
	remove_own_folder();
	return 0;
}
