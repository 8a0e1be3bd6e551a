/* Two threads and one event: each sees the values that the other one publishes, with every form of waiting. */
#include <pthread.h>

#include "sync_event.h"

enum { ROUNDS = 2000, THREADS = 4, ADDITIONS = 5000 };

static struct doca_dev *dev;
static struct doca_sync_event *event;
static uint64_t number;

typedef doca_error_t wait_call(struct doca_sync_event *event, uint64_t value, uint64_t mask);

struct player {
	wait_call *wait;
	uint64_t first;				/* first value to wait for */
	int is_greater;				/* waits for a value greater than the previous one */
};

/* Players take turns: each waits for its value and publishes the next one. */
static void *play(void *argument)
{
	const struct player *player = argument;

	for (uint64_t i = player->first; i < 2 * ROUNDS; i += 2) {
		CHECK_OK(player->wait(event, player->is_greater ? i - 1 : i, UINT64_MAX));
		CHECK_OK(doca_sync_event_update_set(event, i + 1));
	}
	return NULL;
}

static void take_turns(wait_call *one, int one_is_greater, wait_call *other, int other_is_greater)
{
	struct player first = { one, 2, one_is_greater }, second = { other, 1, other_is_greater };
	pthread_t thread;
	uint64_t value;

	CHECK_OK(doca_sync_event_update_set(event, 0));
	CHECK(pthread_create(&thread, NULL, play, &first) == 0);
	CHECK_OK(doca_sync_event_update_set(event, 1));
	play(&second);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_OK(doca_sync_event_get(event, &value));
	CHECK_EQ(value, 2 * ROUNDS);
}

static void *add(void *argument)
{
	uint64_t before, last = 0;

	(void)argument;
	for (int i = 0; i < ADDITIONS; i++) {
		CHECK_OK(doca_sync_event_update_add(event, 3, &before));
		CHECK(i == 0 || before >= last + 3);
		last = before;
	}
	return NULL;
}

/* No concurrent addition is lost. */
static void add_together(void)
{
	pthread_t threads[THREADS];
	uint64_t value;

	CHECK_OK(doca_sync_event_update_set(event, 1));
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, add, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK_OK(doca_sync_event_get(event, &value));
	CHECK_EQ(value, 1 + 3 * THREADS * ADDITIONS);
}

static void *change(void *argument)
{
	(void)argument;
	CHECK_OK(doca_sync_event_update_set(event, 0x1234));
	return NULL;
}

/* Only the masked bits are compared; with a mask of 0 no bit is compared. */
static void masks(void)
{
	pthread_t thread;

	CHECK_OK(doca_sync_event_update_set(event, 0xab00));
	CHECK_OK(doca_sync_event_wait_eq(event, 0xab00, 0xff00));
	CHECK_OK(doca_sync_event_wait_neq(event, 1, 0xff));
	CHECK_OK(doca_sync_event_wait_gt(event, 0xaa00, 0xff00));
	CHECK_OK(doca_sync_event_wait_eq_yield(event, 0, 0));
	CHECK_OK(doca_sync_event_wait_gt_yield(event, 0xab00 - 1, UINT64_MAX));
	CHECK(pthread_create(&thread, NULL, change, NULL) == 0);
	CHECK_OK(doca_sync_event_wait_neq_yield(event, 0xab00, 0xff00));
	CHECK(pthread_join(thread, NULL) == 0);
}

static void run(uint64_t *addr)
{
	event = event_new(dev);
	if (addr != NULL)
		CHECK_OK(doca_sync_event_set_addr(event, addr));
	CHECK_OK(doca_sync_event_start(event));
	take_turns(doca_sync_event_wait_eq_yield, 0, doca_sync_event_wait_gt_yield, 1);
	take_turns(doca_sync_event_wait_gt, 1, doca_sync_event_wait_eq, 0);
	add_together();
	masks();
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

int main(void)
{
	dev = rig_open_device("03:00.0");
	run(NULL);
	run(&number);
	CHECK_EQ(number, 0x1234);
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
