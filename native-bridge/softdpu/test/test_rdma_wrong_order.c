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
	send_bytes(fd, &message, sizeof(message)); /* a second one */
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

static void sign(struct rdma_details *forged)
{
	const uint8_t *bytes = (const uint8_t *)forged;

	forged->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct rdma_details, check); i++)
		forged->check = (forged->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Connects the victim to this socket, and lets it send ROOM bytes. */
static int let_victim_send(struct doca_buf *local)
{
	struct rdma_pair sender = { .requester = pair.responder };
	int fd = connect_and_greet();
	struct rdma_details forged = details;

	forged.key = KEY;
	forged.pid = 1;
	sign(&forged);
	CHECK_OK(doca_rdma_connect(pair.responder.rdma, &forged, sizeof(forged), victim));
	rdma_submit(&sender, RDMA_SEND, victim, local, NULL, 0);
	expect(fd, RDMA_MESSAGE);
	return fd;
}

static void answer(int fd, uint32_t type, doca_error_t status)
{
	const struct rdma_packet packet = { .type = type, .value = (uint32_t)status };

	send_bytes(fd, &packet, sizeof(packet));
}

static void wait_for_task(doca_error_t expected)
{
	int ended = pair.responder.completed + pair.responder.failed;

	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.completed + pair.responder.failed > ended);
	CHECK_ERROR(pair.responder.last_status, expected);
}

static void receive_data(int fd, uint8_t data[sizeof(struct rdma_packet) + ROOM + 1])
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	CHECK(poll(&wait, 1, LIMIT_MS) == 1);
	CHECK_EQ(recv(fd, data, sizeof(struct rdma_packet) + ROOM + 1, 0), sizeof(struct rdma_packet) + ROOM);
}

/* The victim sends; its peer answers too early, twice, or with an error. */
static void answers(void)
{
	struct doca_buf *local;
	uint8_t data[sizeof(struct rdma_packet) + ROOM + 1];
	int fd;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(pair.responder.inventory, pair.responder.map, pair.responder.memory, ROOM,
						    &local));
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
	receive_data(fd, data);
	answer(fd, RDMA_READY, DOCA_SUCCESS); /* a second one */
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	receive_data(fd, data);
	CHECK(memcmp(data + sizeof(struct rdma_packet), pair.responder.memory, ROOM) == 0);
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
