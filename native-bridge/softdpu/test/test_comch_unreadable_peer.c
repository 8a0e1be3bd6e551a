/*
 * A peer whose buffer never becomes readable (userfaultfd), so that the kernel waits inside the copy. Such a peer
 * delays its own connection, and others for 2 s at most. The program's thread never waits.
 */
#include "comch_guests.h"
#include "unreadable.h"

/* Returns 0 if this process cannot use userfaultfd. */
static uint8_t memory_never_becomes_readable(void)
{
	struct guest stuck, honest;
	uint64_t begin_ms;

	open_server(1);
	CHECK(admit(&honest, "honest"));
	if (!admit(&stuck, "userfaultfd")) {
		dismiss_honest(&honest);
		close_server();
		return 0;
	}
	begin_ms = rig_now_ms();
	send_to(&stuck, 1, 100);
	send_to(&stuck, 1, SHORT);
	SIDE_PROGRESS_UNTIL(&server, NULL, stuck.producer.completed == 2);
	stuck.producer.completed = 0;
	send_to(&stuck, SENDS_PER_PEER, LONG);
	RIG_PROGRESS_UNTIL(server.pe, !side_progress(&server));
	check_since(begin_ms, QUICK_MS);
	serve(&honest, SHORT, QUICK_MS);
	serve(&honest, LONG, TAKEOVER_MS + SLACK_MS);
	serve(&honest, LONG, QUICK_MS);
	CHECK_EQ(stuck.producer.completed + stuck.producer.failed, 0);
	dismiss_stuck(&stuck);
	/* The memory of the dead process becomes readable briefly: the running send may succeed. */
	CHECK_EQ(stuck.producer.completed + stuck.producer.failed, SENDS_PER_PEER);
	dismiss_honest(&honest);
	close_server();
	return 1;
}

int main(int argc, char **argv)
{
	uint8_t has_userfaultfd;
	int before;

	alarm(LIFE_S); /* fails the test if the program's thread hangs */
	if (argc > 2)
		return strcmp(argv[1], "honest") == 0 ? run_honest() : run_hostile(unreadable_memory(ROOM));
	make_own_folder();
	before = count_descriptors();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* each takeover logs a warning */
	has_userfaultfd = memory_never_becomes_readable();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	if (!has_userfaultfd)
		SKIP("no userfaultfd for this process");
	return 0;
}
