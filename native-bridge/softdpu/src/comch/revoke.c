/*
 * Claims of a producer that does not move: a consumer that stops takes them back after a while.
 *
 * A claimed buffer belongs to the process that claimed it, which writes into it by one system call. Taking the buffer back must not
 * let that call write later on. The call finds where to write, and how much, in the slot itself, which both processes share: the
 * kernel reads it there when the call begins. Before that the producer makes the slot's state COPYING. So the consumer writes 0
 * into the slot's room, and from then on
 *
 *   - a call that has not begun finds no room and writes nothing, whenever its process goes on. That is so for sure as long as
 *     the state is not COPYING;
 *   - a call that has begun is in the kernel. A process is stopped only where it leaves the kernel: once all its threads are seen
 *     to be stopped, no such call is left. A process that is not stopped is about to say that it is done.
 *
 * One that does neither within the last bound counts as broken: its connection ends.
 */
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_log.h"

enum { MAX_LINE = 512 };

static const uint64_t PATIENCE_NS = 100000000u;		/* a copy that goes on takes no longer, as a rule */
static const uint64_t LOOK_AGAIN_NS = 10000000u;
static const uint64_t LAST_BOUND_NS = 3000000000u;

/* Whether a thread is stopped, or gone. */
static uint8_t is_thread_still(pid_t pid, const char *thread)
{
	char path[64 + sizeof(((struct dirent *)NULL)->d_name)], line[MAX_LINE];
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)pid, thread);
	file = fopen(path, "re");
	if (file == NULL)
		return 1;
	state = fgets(line, sizeof(line), file) == NULL ? NULL : strrchr(line, ')'); /* behind the name, which may be anything */
	fclose(file);
	return state == NULL || (strlen(state) > 2 && strchr("TtZX", state[2]) != NULL);
}

static uint8_t is_still(pid_t pid)
{
	const struct dirent *entry;
	uint8_t still = 1;
	char path[64];
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	threads = opendir(path);
	if (threads == NULL)
		return 0; /* gone, which its socket will tell, or hidden from us */
	while (still && (entry = readdir(threads)) != NULL)
		still = entry->d_name[0] == '.' || is_thread_still(pid, entry->d_name);
	closedir(threads);
	return still;
}

void comch_consumer_revoke(struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		atomic_store(&consumer->ring->slots[sequence & (consumer->num_slots - 1)].room, 0);
}

/* Lock held, all claims are revoked: whether some of them may have begun. */
static uint8_t is_copying(const struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		if (atomic_load(&consumer->ring->slots[sequence & (consumer->num_slots - 1)].state) == COMCH_SLOT_COPYING)
			return 1;
	return 0;
}

/* Lock held: the tasks end; a producer that waits for its data to be read need not any more. */
static void flush(struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		comch_slot_answer(&consumer->ring->slots[sequence & (consumer->num_slots - 1)], COMCH_SLOT_FAILED);
	comch_consumer_flush(consumer, consumer->taken, DOCA_ERROR_IO_FAILED);
}

/* Lock held. */
static uint8_t is_over(const struct doca_comch_consumer *consumer)
{
	return consumer->taken == consumer->posted || consumer->is_reset;
}

static void run(struct sd_job *job);

/* Lock held. 0: the other process does not let go. */
static uint8_t take_back(struct doca_comch_consumer *consumer)
{
	pid_t peer = consumer->connection->peer;

	if (is_over(consumer) || !comch_consumer_scan(consumer) || is_over(consumer))
		return 1;
	if (consumer->waited_ns == PATIENCE_NS)
		SD_LOG_INFO("comch \"%s\": process %d holds buffers of a consumer that stops: they are taken back",
			    consumer->connection->control->name, (int)peer);
	comch_consumer_revoke(consumer);
	if (!is_copying(consumer) || (peer != getpid() && is_still(peer))) {
		flush(consumer);
		return 1;
	}
	if (consumer->waited_ns >= LAST_BOUND_NS)
		return 0;
	consumer->waited_ns += LOOK_AGAIN_NS;
	sd_service_schedule(&consumer->revoke_job, LOOK_AGAIN_NS, run);
	return 1;
}

static void run(struct sd_job *job)
{
	struct doca_comch_consumer *consumer =
		(struct doca_comch_consumer *)((char *)job - offsetof(struct doca_comch_consumer, revoke_job));
	struct doca_comch_connection *connection = consumer->connection;
	uint8_t is_let_go;

	comch_connection_ref(connection); /* the consumer may be IDLE once its last task has ended */
	pthread_mutex_lock(&consumer->lock);
	is_let_go = take_back(consumer);
	pthread_mutex_unlock(&consumer->lock);
	if (!is_let_go) {
		SD_LOG_WARNING("comch \"%s\": process %d neither fills nor gives back a consumer's buffers: the connection ends",
			       connection->control->name, (int)connection->peer);
		comch_connection_lose(connection);
	}
	comch_connection_unref(connection);
}

void comch_consumer_expect(struct doca_comch_consumer *consumer)
{
	if (consumer->taken == consumer->posted)
		return;
	if (consumer->connection->control->is_inline && consumer->connection->peer == getpid()) {
		/* At once: no clock but the virtual one may have a part in what happens. */
		comch_consumer_revoke(consumer);
		if (!is_copying(consumer)) {
			flush(consumer);
			return;
		}
	}
	consumer->waited_ns = PATIENCE_NS;
	sd_service_schedule(&consumer->revoke_job, PATIENCE_NS, run);
}
