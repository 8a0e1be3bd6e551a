/*
 * A peer breaks the protocol while a hardware thread copies into its buffer. The peer sees the end of the connection only after
 * the end of the copy: then it may use its memory for something else.
 */
#include "comch_guests.h"

/* Posts a buffer, takes the first part of the data, and sends an invalid packet during the copy. */
static int break_protocol(void)
{
	int fd = raw_connect(name), fds[COMCH_MAX_FDS], sockets[2];
	struct pollfd data, end = { .fd = fd, .events = POLLIN };
	struct comch_ring *ring;
	uint8_t bytes[256];

	raw_greet(fd, name, NULL, NULL);
	CHECK_OK(comch_ring_create("test", RING, 0, &ring, &fds[0]));
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) == 0);
	ring->slots[0].room = ROOM;
	ring->slots[0].state = COMCH_SLOT_POSTED;
	ring->posted = 1;
	fds[1] = sockets[1];
	raw_send(fd, COMCH_CONSUMER_NEW, CONSUMER, NULL, 0, fds, COMCH_MAX_FDS);
	report('!');
	data = (struct pollfd){ .fd = sockets[0], .events = POLLIN };
	CHECK_EQ(poll(&data, 1, RIG_LIMIT_S * 1000), 1);
	raw_send(fd, UINT32_MAX, 0, NULL, 0, NULL, 0);
	do {
		CHECK_EQ(poll(&end, 1, RIG_LIMIT_S * 1000), 1);
	} while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
	CHECK_EQ(atomic_load(&ring->slots[0].state), COMCH_SLOT_FAILED);
	return 0;
}

int main(int argc, char **argv)
{
	struct guest guest;

	(void)argv;
	alarm(LIFE_S);
	if (argc > 2)
		return break_protocol();
	make_own_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* the invalid packet logs a warning */
	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	open_server(1);
	CHECK(admit(&guest, "breaker"));
	send_to(&guest, 1, LONG);
	SIDE_PROGRESS_UNTIL(&server, NULL, guest.producer.failed == 1);
	CHECK_EQ(guest.producer.last_error, DOCA_ERROR_CONNECTION_RESET);
	child_close(&guest.child, 0, &server);
	data_stop(&guest.producer, &server, NULL);
	data_close(&guest.producer);
	close_server();
	remove_own_folder();
	return 0;
}
