/*
 * Hostile messages and answers on the sockets of RDMA connections: each packet is correct for itself, but comes too early, twice, or
 * with another length. At most the addressed connection ends. Memory and posted receive tasks stay.
 */
#include "rdma_victim.h"

/* A message with a correct begin and an incorrect rest. The receive task is posted again, or fails if data arrived. */
static void messages(void)
{
	struct doca_buf *room = rdma_room(&pair.responder, 0, ROOM);
	const struct rdma_packet message = { .type = RDMA_MESSAGE, .total = ROOM };
	struct {
		struct rdma_packet head;
		uint8_t bytes[ROOM + 1];
	} data = { .head = { .type = RDMA_DATA } };
	int fd = connect_and_greet();

	rdma_post(&pair.responder, room, 1);
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY);
	for (int i = 0; i < RDMA_MAX_AHEAD; i++) /* one more than the victim stores */
		send_bytes(fd, &message, sizeof(message));
	expect(fd, 0);
	close(fd);

	fd = connect_and_greet();
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY); /* the same receive task */
	send_bytes(fd, &data, sizeof(data.head) + ROOM + 1);
	expect(fd, 0);
	close(fd);

	fd = connect_and_greet();
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY);
	send_bytes(fd, &data, sizeof(data.head) + 10);
	close(fd);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.unreceived == 1);
	CHECK_EQ(pair.responder.received, 0);
	CHECK(pair.responder.memory[10] == 0xee);
	rig_drop(room);
}

/* Connects the victim to this socket, and lets it send ROOM bytes. */
static int let_victim_send(struct doca_buf *local)
{
	int fd = connect_victim();

	victim_submit(RDMA_SEND, local, 0);
	expect(fd, RDMA_MESSAGE);
	return fd;
}

static void wait_for_task(doca_error_t expected)
{
	int ended = pair.responder.completed + pair.responder.failed;

	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.completed + pair.responder.failed > ended);
	CHECK_ERROR(pair.responder.last_status, expected);
}

/* Receives the two elements of the list, and compares them. */
static void receive_data(int fd)
{
	for (size_t half = 0; half < 2; half++) {
		struct victim_packet data;

		CHECK_EQ(receive_packet(fd, &data), ROOM / 2);
		CHECK_EQ(data.head.type, RDMA_DATA);
		CHECK(memcmp(data.bytes, pair.responder.memory + half * ROOM / 2, ROOM / 2) == 0);
	}
}

/* The victim sends; its peer answers too early, twice, or with an error. */
static void answers(void)
{
	struct doca_buf *local = victim_bytes(0, ROOM / 2);
	int fd;

	CHECK_OK(doca_buf_chain_list(local, victim_bytes(ROOM / 2, ROOM / 2))); /* a list does not fit into one packet */
	fd = let_victim_send(local);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS); /* no byte was sent */
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_ANSWER, DOCA_ERROR_FULL);
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	receive_data(fd);
	answer(fd, RDMA_READY, DOCA_SUCCESS); /* a second one */
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	receive_data(fd);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	wait_for_task(DOCA_SUCCESS);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	expect(fd, 0);
	close(fd);
	rig_drop(local);
}

int main(void)
{
	int descriptors;

	victim_begin();
	descriptors = count_descriptors();
	messages();
	answers();
	victim_end(descriptors);
	return 0;
}
