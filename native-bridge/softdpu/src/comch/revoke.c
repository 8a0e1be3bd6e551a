/*
 * Revokes claims of a producer that makes no progress, when the consumer stops.
 *
 * A claimed buffer belongs to the claiming process, which writes into it by one system call. After a revocation, that call must
 * not write. The call takes its target and length from the slot, which both processes share: the kernel reads the slot when the
 * call begins. Before the call, the producer sets the slot's state to COPYING. The consumer writes 0 into the slot's room. From
 * then on there are two cases:
 *
 *   - A call that has not begun finds no room and writes nothing, even if its process continues later. This case is certain
 *     while the state is not COPYING.
 *   - A call that has begun is in the kernel. A process stops only where it leaves the kernel. Once all its threads are stopped,
 *     no such call is left. A process that is not stopped will soon set the slot's final state.
 *
 * If neither case is established within LAST_BOUND_NS, the process counts as broken, and its connection ends.
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

static const uint64_t COPY_LIMIT_NS = 100000000u;		/* a copy in progress rarely takes longer */
static const uint64_t RECHECK_NS = 10000000u;
static const uint64_t LAST_BOUND_NS = 3000000000u;

/* Returns true if a thread is stopped or has ended. */
static uint8_t is_thread_still(pid_t pid, const char *thread)
{
	char path[64 + sizeof(((struct dirent *)NULL)->d_name)], line[MAX_LINE];
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)pid, thread);
	file = fopen(path, "re");
	if (file == NULL)
		return 1;
	state = fgets(line, sizeof(line), file) == NULL ? NULL : strrchr(line, ')'); /* the name before ')' is arbitrary */
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
		return 0; /* the process has ended, which its socket reports, or is hidden */
	while (still && (entry = readdir(threads)) != NULL)
		still = entry->d_name[0] == '.' || is_thread_still(pid, entry->d_name);
	closedir(threads);
	return still;
}

/* Returns true if a copy into a revoked buffer may be in progress. The lock must be held. */
static uint8_t is_copying(const struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		if (atomic_load(&consumer->ring->slots[sequence & (consumer->num_slots - 1)].state) == COMCH_SLOT_COPYING)
			return 1;
	return 0;
}

/* Fails the remaining tasks and releases producers that wait for their data to be read. The lock must be held. */
static void flush(struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		comch_slot_answer(&consumer->ring->slots[sequence & (consumer->num_slots - 1)], COMCH_SLOT_FAILED);
	comch_consumer_flush(consumer, consumer->taken, DOCA_ERROR_IO_FAILED);
}

/* Returns true if no claimed buffer remains. The lock must be held. */
static uint8_t is_over(const struct doca_comch_consumer *consumer)
{
	return consumer->taken == consumer->posted || consumer->is_reset;
}

static void run(struct sd_job *job);

/*
 * Revokes the claims, or schedules another attempt. Returns 0 if a copy is still in progress at the last bound, or the ring is
 * invalid. The lock must be held.
 */
static uint8_t try_revoke(struct doca_comch_consumer *consumer)
{
	pid_t peer = consumer->connection->peer;

	if (is_over(consumer))
		return 1;
	if (!comch_consumer_scan(consumer))
		return 0;
	if (is_over(consumer))
		return 1;
	if (consumer->waited_ns == COPY_LIMIT_NS)
		SD_LOG_INFO("comch \"%s\": process %d holds buffers of a stopping consumer: the consumer revokes them",
			    consumer->connection->control->name, (int)peer);
	comch_consumer_revoke(consumer);
	if (!is_copying(consumer) || (peer != getpid() && is_still(peer))) {
		flush(consumer);
		return 1;
	}
	if (consumer->waited_ns >= LAST_BOUND_NS)
		return 0;
	consumer->waited_ns += RECHECK_NS;
	sd_service_schedule(&consumer->revoke_job, RECHECK_NS, run);
	return 1;
}

static void run(struct sd_job *job)
{
	struct doca_comch_consumer *consumer = SD_OWNER(job, struct doca_comch_consumer, revoke_job);
	struct doca_comch_connection *connection = consumer->connection;
	uint8_t is_revoked;

	comch_connection_ref(connection); /* the program may destroy the consumer once its last task has ended */
	pthread_mutex_lock(&consumer->lock);
	is_revoked = try_revoke(consumer);
	pthread_mutex_unlock(&consumer->lock);
	if (!is_revoked) {
		SD_LOG_WARNING("comch \"%s\": process %d keeps the buffers of a stopping consumer or wrote invalid values: the connection ends",
			       connection->control->name, (int)connection->peer);
		connection->control->side->lose(connection);
	}
	comch_connection_unref(connection);
}

void comch_consumer_expect(struct doca_comch_consumer *consumer)
{
	if (consumer->taken == consumer->posted)
		return;
	if (consumer->connection->control->is_inline && consumer->connection->peer == getpid()) {
		/* At once: in inline execution, only the virtual clock may influence the result. */
		comch_consumer_revoke(consumer);
		if (!is_copying(consumer)) {
			flush(consumer);
			return;
		}
	}
	consumer->waited_ns = COPY_LIMIT_NS;
	sd_service_schedule(&consumer->revoke_job, COPY_LIMIT_NS, run);
}
