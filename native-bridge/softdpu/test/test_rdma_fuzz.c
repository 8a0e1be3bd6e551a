/*
 * Damaged frames of a peer that has the key. Complete conversations with a connection and with exported memory are changed at random,
 * from a seed: bytes, lengths, order and number of frames. The frames go through TLS in random pieces. Nothing outside the
 * exported memory and the posted receive task changes, and correct conversations still work.
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

static void correct(void)
{
	static const size_t reply_lens[] = { 8, 8, 108, 8, 16 };
	struct raw_script script = { 0 };
	int fd;
	SSL *ssl = raw_open_session(&memory.endpoint, &fd);

	raw_talk_to_memory(&script, &memory);
	CHECK(raw_send_script(ssl, fd, &script));
	for (size_t i = 0; i < sizeof(reply_lens) / sizeof(reply_lens[0]); i++)
		CHECK_EQ(expect_frame(ssl, fd, LINK_MAGIC, reply_lens[i]), DOCA_SUCCESS);
	raw_close_session(ssl, fd);

	export_victim();
	script.num_frames = 0;
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
		raw_talk_to_memory(&script, &memory);
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
