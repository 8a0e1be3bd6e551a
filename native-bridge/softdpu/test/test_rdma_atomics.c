/*
 * Atomic tasks change a number of the responder, also while its program changes it, and return the previous value. Event tasks
 * read and change a sync event, also while the responder waits for it. Also with inline execution.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "rdma.h"

enum { ROUNDS = 100 };

static struct rdma_pair pair;

/* Runs one task of the requester; returns the 8 bytes at the beginning of its memory afterwards. */
static uint64_t run_one(enum rdma_op op, size_t offset)
{
	struct doca_buf *local = rdma_local(&pair, 0, 8, op == RDMA_EVENT_SET);
	struct doca_buf *remote = op == RDMA_SWAP || op == RDMA_ADD ? rdma_remote(&pair, offset, 8, 0) : NULL;
	int ended = pair.requester.completed + pair.requester.failed;

	rdma_submit(&pair, op, pair.connection, local, remote, 0);
	rdma_wait(&pair, ended + 1);
	CHECK_OK(pair.requester.last_status);
	CHECK_EQ(rig_data_len(local), 8);
	rig_drop(local);
	if (remote != NULL)
		rig_drop(remote);
	return *(uint64_t *)(void *)pair.requester.memory;
}

static void numbers(void)
{
	uint64_t *number = (uint64_t *)(void *)(pair.responder.memory + 64);

	*number = 41;
	CHECK_EQ(run_one(RDMA_ADD, 64), 41);
	CHECK_EQ(*number, 41 + RDMA_OPERAND);
	CHECK_EQ(run_one(RDMA_SWAP, 64), 41 + RDMA_OPERAND); /* not equal: no change */
	CHECK_EQ(*number, 41 + RDMA_OPERAND);
	*number = RDMA_COMPARED;
	CHECK_EQ(run_one(RDMA_SWAP, 64), RDMA_COMPARED);
	CHECK_EQ(*number, RDMA_OPERAND);
	*number = UINT64_MAX;
	CHECK_EQ(run_one(RDMA_ADD, 64), UINT64_MAX);
	CHECK_EQ(*number, RDMA_OPERAND - 1);
}

/* --- a thread of the responder's program changes the number during all tasks --- */

static atomic_int is_running, must_end;
static uint64_t num_local;			/* changes that the thread counts; valid after its end */

static void *add_locally(void *number)
{
	atomic_store(&is_running, 1);
	while (!atomic_load(&must_end)) {
		atomic_fetch_add((_Atomic uint64_t *)number, 1);
		num_local++;
	}
	return NULL;
}

/* Offers the compared value, and withdraws it. Counts the offers that a task has taken. */
static void *swap_locally(void *number)
{
	atomic_store(&is_running, 1);
	while (!atomic_load(&must_end)) {
		uint64_t offered = RDMA_COMPARED;

		atomic_store((_Atomic uint64_t *)number, offered);
		num_local += !atomic_compare_exchange_strong((_Atomic uint64_t *)number, &offered, 0);
	}
	return NULL;
}

/* Runs tasks while the thread runs. Returns the number of tasks that found the compared value. */
static uint64_t run_during(void *(*change)(void *), enum rdma_op op, size_t offset)
{
	uint64_t *number = (uint64_t *)(void *)(pair.responder.memory + offset), num_equal = 0;
	pthread_t thread;

	*number = 0;
	num_local = 0;
	atomic_store(&is_running, 0);
	atomic_store(&must_end, 0);
	CHECK(pthread_create(&thread, NULL, change, number) == 0);
	while (!atomic_load(&is_running))
		sched_yield();
	for (int i = 0; i < ROUNDS; i++)
		num_equal += run_one(op, offset) == RDMA_COMPARED;
	atomic_store(&must_end, 1);
	CHECK(pthread_join(thread, NULL) == 0);
	return num_equal;
}

static void with_local_changes(void)
{
	uint64_t num_swapped;

	(void)run_during(add_locally, RDMA_ADD, 128);
	CHECK_EQ(*(uint64_t *)(void *)(pair.responder.memory + 128), num_local + ROUNDS * RDMA_OPERAND);
	num_swapped = run_during(swap_locally, RDMA_SWAP, 192);
	CHECK_EQ(num_swapped, num_local);
}

static uint64_t event_value(void)
{
	uint64_t value;

	CHECK_OK(doca_sync_event_get(pair.event, &value));
	return value;
}

static void events(void)
{
	CHECK_EQ(run_one(RDMA_EVENT_GET, 0), 0);
	*(uint64_t *)(void *)pair.requester.memory = 5;
	run_one(RDMA_EVENT_SET, 0);
	CHECK_EQ(event_value(), 5);
	CHECK_EQ(run_one(RDMA_EVENT_ADD, 0), 5);
	CHECK_EQ(event_value(), 5 + RDMA_OPERAND);
	CHECK_EQ(run_one(RDMA_EVENT_GET, 0), 5 + RDMA_OPERAND);
}

/* The getters and setters of a task, which the program refills. */
static void refill(void)
{
	struct doca_buf *local = rdma_local(&pair, 0, 8, 0), *remote = rdma_remote(&pair, 64, 8, 0);
	struct doca_rdma_task_atomic_cmp_swp *swap;
	struct doca_rdma_task_remote_net_sync_event_notify_add *add;
	union doca_data none = { 0 };

	CHECK_OK(doca_rdma_task_atomic_cmp_swp_allocate_init(pair.requester.rdma, pair.connection, remote, local, 1, 2, none, &swap));
	CHECK(doca_rdma_task_atomic_cmp_swp_get_dst_buf(swap) == remote);
	CHECK(doca_rdma_task_atomic_cmp_swp_get_result_buf(swap) == local);
	CHECK_EQ(doca_rdma_task_atomic_cmp_swp_get_cmp_data(swap), 1);
	CHECK_EQ(doca_rdma_task_atomic_cmp_swp_get_swap_data(swap), 2);
	doca_rdma_task_atomic_cmp_swp_set_dst_buf(swap, local);
	doca_rdma_task_atomic_cmp_swp_set_result_buf(swap, remote);
	CHECK(doca_rdma_task_atomic_cmp_swp_get_dst_buf(swap) == local);
	CHECK(doca_rdma_task_atomic_cmp_swp_get_result_buf(swap) == remote);
	/* Remote and local buffers exchanged. */
	CHECK_ERROR(doca_task_try_submit(doca_rdma_task_atomic_cmp_swp_as_task(swap)), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_rdma_task_atomic_cmp_swp_as_task(swap));

	CHECK_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(pair.requester.rdma, pair.connection,
									       pair.remote_event, local, 3, none, &add));
	CHECK(doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(add) == pair.remote_event);
	CHECK(doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(add) == pair.connection);
	doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(add, 9);
	CHECK_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(add), 9);
	doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(add, NULL);
	CHECK_ERROR(doca_task_try_submit(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add)),
		    DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add));
	rig_drop(local);
	rig_drop(remote);
}

static void *wait_for_event(void *event)
{
	CHECK_OK(doca_sync_event_wait_gt(event, 100, UINT64_MAX));
	return NULL;
}

/* The responder blocks; its engine makes no progress. */
static void while_responder_waits(void)
{
	pthread_t thread;

	*(uint64_t *)(void *)pair.requester.memory = 0;
	run_one(RDMA_EVENT_SET, 0);
	CHECK(pthread_create(&thread, NULL, wait_for_event, pair.event) == 0);
	run_one(RDMA_EVENT_ADD, 0);
	pthread_join(thread, NULL);
}

static void exports(void)
{
	struct doca_sync_event *event;
	const uint8_t *data;
	size_t len;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, pair.responder.dev));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, pair.responder.dev));
	CHECK_ERROR(doca_sync_event_export_to_remote_net(event, &data, &len), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sync_event_start(event));
	CHECK_ERROR(doca_sync_event_export_to_remote_net(event, &data, &len), DOCA_ERROR_NOT_PERMITTED); /* other publisher */
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

static void forged(void)
{
	struct doca_sync_event_remote_net *event;
	const uint8_t *data, *again;
	uint8_t copy[256];
	size_t len;

	CHECK_OK(doca_sync_event_export_to_remote_net(pair.event, &data, &len));
	CHECK_OK(doca_sync_event_export_to_remote_net(pair.event, &again, &len));
	CHECK(again == data);
	for (size_t i = 0; i < len; i++) {
		memcpy(copy, data, len);
		copy[i] ^= 4;
		CHECK_ERROR(doca_sync_event_remote_net_create_from_export(pair.requester.dev, copy, len, &event),
			    DOCA_ERROR_INVALID_VALUE);
	}
	memcpy(copy, data, len);
	CHECK_ERROR(doca_sync_event_remote_net_create_from_export(pair.requester.dev, copy, len - 1, &event),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_remote_net_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void run(void)
{
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	rdma_event_open(&pair);
	numbers();
	with_local_changes();
	events();
	refill();
	while_responder_waits();
	exports();
	forged();
	rdma_pair_close(&pair);
}

int main(void)
{
	run();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run();
	return 0;
}
