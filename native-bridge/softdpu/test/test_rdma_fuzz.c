/*
 * Damaged frames of a peer that has the key. Complete conversations with a connection and with exported memory are changed at random,
 * from a seed: bytes, lengths, order and number of frames. The frames go through TLS in random pieces. Nothing outside the
 * exported memory and the posted receive task changes, and correct conversations still work. Without an open connection that permits
 * it, a peer accesses no memory.
 */
#include <signal.h>

#include "doca_log.h"
#include "rdma_raw.h"

enum { ROUNDS = 400, SHARED = 256 << 10, SHARED_LEN = 4096 };

static struct rdma_side side;
static struct doca_mmap *shared;		/* SHARED_LEN bytes at SHARED of the side's memory */
static struct remote_desc memory;		/* describes it */
static struct rdma_details details;		/* of the connection */
static struct doca_rdma_connection *victim;
static struct doca_buf *room;			/* of the receive task */
static int is_posted;

/* --- damage --- */

static uint64_t draw_number(void)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 7, 8, 65535, 65536, 65537, FRAME_MAX, FRAME_MAX + 1, 1u << 30, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX,
	};

	return raw_draw(2) == 0 ? sd_random_next(&raw_seed) : numbers[raw_draw(sizeof(numbers) / sizeof(numbers[0]))];
}

static void damage(struct raw_script *script)
{
	uint32_t at = raw_draw((uint32_t)script->num_frames), other = raw_draw((uint32_t)script->num_frames);
	uint8_t *bytes = script->frames[at].bytes;
	uint64_t number = draw_number();
	uint32_t size = raw_draw(2) == 0 ? 4 : 8, offset = raw_draw(script->frames[at].len);

	switch (raw_draw(8)) {
	case 0: /* one bit */
		bytes[offset] ^= (uint8_t)(1u << raw_draw(8));
		break;
	case 1: /* the length in the stream */
		script->frames[at].claimed = (uint32_t)number;
		break;
	case 2: /* a shorter or longer frame */
		script->frames[at].claimed = script->frames[at].len = 1 + raw_draw(sizeof(script->frames[0].bytes));
		break;
	case 3: /* the order */
		script->frames[at] = script->frames[other];
		break;
	case 4: /* the end */
		script->num_frames = at + 1;
		break;
	case 5: /* repetition */
		if (script->num_frames < RAW_FRAMES)
			script->frames[script->num_frames++] = script->frames[at];
		break;
	default: /* a number */
		if (script->frames[at].len >= 8)
			memcpy(bytes + offset / size * size % (script->frames[at].len - 7), &number, size);
	}
}

/* --- the test --- */

static void export_victim(void)
{
	const void *desc;
	size_t len;

	CHECK_OK(doca_rdma_export(side.rdma, &desc, &len, &victim));
	memcpy(&details, desc, sizeof(details));
	if (is_posted)
		return;
	CHECK_OK(doca_buf_reset_data_len(room));
	rdma_post(&side, room, 0);
	is_posted = 1;
}

static void end_victim(void)
{
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	while (doca_pe_progress(side.pe))
		;
	is_posted = side.received + side.unreceived == 0;
	side.received = side.unreceived = 0;
}

/* Returns the second 4 bytes of an answer: the value of a packet, or the status of a reply. */
static uint32_t expect_frame(SSL *ssl, int fd, uint32_t first, size_t len)
{
	uint8_t bytes[256];
	uint32_t head[2], claimed;

	CHECK(raw_receive(ssl, fd, &claimed, sizeof(claimed)));
	CHECK_EQ(claimed, len);
	CHECK(raw_receive(ssl, fd, bytes, len));
	memcpy(head, bytes, sizeof(head));
	CHECK_EQ(head[0], first);
	return head[1];
}

/* Greets, then reads, writes and changes the memory by a connection, which permits some of these accesses. */
static void access_by(uint64_t via, uint32_t permissions)
{
	static const uint32_t needed[] = { 0, 0, DOCA_ACCESS_FLAG_RDMA_READ, DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_FLAG_RDMA_WRITE };
	static const size_t reply_lens[] = { 8, 8, 108, 8, 16 };
	uint64_t before = *(uint64_t *)(void *)(side.memory + SHARED);
	struct raw_script script = { 0 };
	int fd;
	SSL *ssl = raw_open_session(&memory.endpoint, &fd);

	raw_talk_to_memory(&script, &memory, via);
	CHECK(raw_send_script(ssl, fd, &script));
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		int is_permitted = (permissions & needed[i]) == needed[i];

		CHECK_EQ(expect_frame(ssl, fd, LINK_MAGIC, is_permitted ? reply_lens[i] : sizeof(struct link_reply)),
			 is_permitted ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
	}
	raw_close_session(ssl, fd);
	if ((permissions & DOCA_ACCESS_FLAG_RDMA_WRITE) == 0)
		CHECK_EQ(*(uint64_t *)(void *)(side.memory + SHARED), before);
}

/* Returns the key of a connection that its context permits to read only. */
static uint64_t export_reader(struct rdma_side *reader)
{
	const struct rdma_details *exported;
	struct doca_rdma_connection *connection;
	const void *desc;
	size_t len;

	rdma_side_open(reader, "81:00.0", 0);
	CHECK_OK(doca_rdma_set_permissions(reader->rdma, DOCA_ACCESS_FLAG_RDMA_READ));
	CHECK_OK(doca_ctx_start(reader->ctx));
	CHECK_OK(doca_rdma_export(reader->rdma, &desc, &len, &connection));
	exported = desc;
	return exported->key;
}

/* A peer accesses memory by an open connection only. */
static void connections(void)
{
	struct rdma_side reader = { 0 };

	memset(side.memory + SHARED, 0xab, SHARED_LEN);
	access_by(0, 0);
	access_by(export_reader(&reader), DOCA_ACCESS_FLAG_RDMA_READ);
	rdma_side_stop(&reader);
	rdma_side_close(&reader);
	export_victim();
	access_by(details.key, RDMA_ALL);
	end_victim();
	memset(side.memory + SHARED, 0xab, SHARED_LEN);
	access_by(details.key, 0);
}

static void correct(void)
{
	struct raw_script script = { 0 };
	SSL *ssl;
	int fd;

	export_victim();
	access_by(details.key, RDMA_ALL);
	raw_talk_to_connection(&script, &details);
	ssl = raw_open_session(&memory.endpoint, &fd);
	CHECK(raw_send_script(ssl, fd, &script));
	(void)expect_frame(ssl, fd, RDMA_WELCOME, sizeof(struct rdma_packet));
	(void)expect_frame(ssl, fd, RDMA_READY, sizeof(struct rdma_packet));
	CHECK_EQ(expect_frame(ssl, fd, RDMA_ANSWER, sizeof(struct rdma_packet)), DOCA_SUCCESS);
	RIG_PROGRESS_UNTIL(side.pe, side.received == 1);
	end_victim();
	raw_close_session(ssl, fd);
}

static void fuzz(int of_memory)
{
	struct raw_script script = { 0 };
	uint32_t count = 1 + raw_draw(4);
	uint8_t answer[512];
	size_t len;
	int fd;
	SSL *ssl = raw_open_session(&memory.endpoint, &fd);

	export_victim();
	if (of_memory)
		raw_talk_to_memory(&script, &memory, details.key);
	else
		raw_talk_to_connection(&script, &details);
	while (count-- > 0)
		damage(&script);
	(void)raw_send_script(ssl, fd, &script); /* the exporter may end the session before the last frame */
	if (raw_draw(2) == 0)
		(void)tls_read(ssl, answer, sizeof(answer), &len);
	raw_close_session(ssl, fd);
	end_victim();
}

static void check_memory(void)
{
	for (size_t i = RAW_DATA; i < RDMA_MEMORY; i++) {
		if (i < SHARED || i >= SHARED + SHARED_LEN)
			CHECK_EQ(side.memory[i], 0xee);
	}
}

static void open_side(void)
{
	const void *desc;
	size_t len;

	rdma_side_open(&side, "81:00.0", 0);
	CHECK_OK(doca_rdma_set_permissions(side.rdma, RDMA_ALL));
	CHECK_OK(doca_ctx_start(side.ctx));
	memset(side.memory, 0xee, RDMA_MEMORY);
	room = rdma_room(&side, 0, RAW_DATA);
	CHECK_OK(doca_mmap_create(&shared));
	CHECK_OK(doca_mmap_set_memrange(shared, side.memory + SHARED, SHARED_LEN));
	CHECK_OK(doca_mmap_set_permissions(shared, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | RDMA_ALL));
	CHECK_OK(doca_mmap_add_dev(shared, side.dev));
	CHECK_OK(doca_mmap_start(shared));
	CHECK_OK(doca_mmap_export_rdma(shared, side.dev, &desc, &len));
	CHECK_EQ(len, sizeof(memory));
	memcpy(&memory, desc, len);
}

int main(void)
{
	int descriptors;

	CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR); /* libssl writes to sockets that the other side has ended */
	make_own_folder();
	make_own_key();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the errors are expected */
	open_side();
	CHECK(tls_open());
	connections();
	correct();
	descriptors = count_descriptors();
	for (int round = 0; round < ROUNDS; round++) {
		fuzz(round % 2);
		if (round % 20 == 19)
			correct();
	}
	check_memory();
	RIG_PROGRESS_UNTIL(side.pe, count_descriptors() <= descriptors);
	CHECK_OK(doca_mmap_stop(shared));
	CHECK_OK(doca_mmap_destroy(shared));
	rdma_side_stop(&side);
	rig_drop(room);
	rdma_side_close(&side);
	rig_check_nothing_is_left();
	remove_key("key");
	remove_own_folder();
	return 0;
}
