/* The table of this process's exports, and the passes of the processes that access them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doca_types.h"
#include "export.h"
#include "export_table.h"
#include "number.h"
#include "process.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_secret.h"

struct pass_entry {
	struct pass_entry *next;
	struct guard_pass *pass;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards all variables up to own_pass */
static struct export *exports[GUARD_SLOTS];
static uint32_t next_slot;
static uint64_t last_generation;
static struct guard_board *board;
static int board_fd = -1;
static struct export_identity identity;
static struct pass_entry *passes;
static struct guard_pass own_pass;

/*
 * A forked child inherits the parent's table, and its program may free the exports in it. The parent's board stays mapped:
 * inherited imports use it. The lock must be held.
 */
static void forget_parent(void)
{
	memset(exports, 0, sizeof(exports));
	next_slot = 0;
	memset(&own_pass, 0, sizeof(own_pass));
	if (board_fd >= 0)
		close(board_fd);
	board_fd = -1;
}

/* Makes this process an exporter. The lock must be held. */
static doca_error_t prepare(void)
{
	doca_error_t result;

	if (identity.pid == getpid())
		return DOCA_SUCCESS;
	forget_parent();
	result = sd_secret_draw(&identity.cookie);
	if (result != DOCA_SUCCESS)
		return result;
	board = guard_create("softdpu-exports", sizeof(*board), &board_fd);
	if (board == NULL)
		return DOCA_ERROR_OPERATING_SYSTEM;
	atomic_store(&board->ends, identity.cookie); /* random: no other program that had the process id had the same number */
	identity.pid = getpid();
	identity.start_time = process_start_time(identity.pid);
	return DOCA_SUCCESS;
}

void export_table_hold(void)
{
	pthread_mutex_lock(&lock);
}

void export_table_release(void)
{
	pthread_mutex_unlock(&lock);
}

doca_error_t export_table_prepare(uint8_t *is_new)
{
	doca_error_t result;

	pthread_mutex_lock(&lock);
	*is_new = identity.pid != getpid();
	result = prepare();
	pthread_mutex_unlock(&lock);
	return result;
}

/* The lock must be held. */
static doca_error_t take_slot(struct export *export)
{
	doca_error_t result;

	for (uint32_t i = 0; i < GUARD_SLOTS; i++) {
		uint32_t slot = (next_slot + i) % GUARD_SLOTS;

		if (exports[slot] != NULL)
			continue;
		result = sd_secret_draw(&export->key);
		if (result != DOCA_SUCCESS)
			return result;
		export->slot = slot;
		export->generation = ++last_generation;
		exports[slot] = export;
		next_slot = slot + 1;
		return DOCA_SUCCESS;
	}
	SD_LOG_ERROR("cannot export another memory map: this process already exports the maximum of %d (stop one first)",
		     GUARD_SLOTS);
	return DOCA_ERROR_NO_MEMORY;
}

doca_error_t export_table_enter(struct export *export)
{
	doca_error_t result;

	pthread_mutex_lock(&lock);
	result = take_slot(export);
	if (result == DOCA_SUCCESS) {
		export->owner = identity.pid;
		atomic_store(&board->generations[export->slot], export->generation);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

void export_table_void(const struct export *export)
{
	pthread_mutex_lock(&lock);
	if (export->is_number && guard_is_valid(board, export->slot, export->generation))
		guard_publish_last(board, export->slot, export->generation, number_load((void *)(uintptr_t)export->addr));
	atomic_store(&board->generations[export->slot], 0);
	pthread_mutex_unlock(&lock);
}

/* As after the end of the exporting process, importers do not find the last value of a number. */
void sd_memory_kill_host(uint32_t host)
{
	pthread_mutex_lock(&lock);
	for (uint32_t slot = 0; slot < GUARD_SLOTS && identity.pid == getpid(); slot++) {
		if (exports[slot] != NULL && exports[slot]->host == host)
			atomic_store(&board->generations[slot], 0);
	}
	pthread_mutex_unlock(&lock);
}

void export_table_leave(const struct export *export)
{
	pthread_mutex_lock(&lock);
	exports[export->slot] = NULL;
	pthread_mutex_unlock(&lock);
}

/* The lock must be held. */
static uint8_t is_accessed(uint64_t generation)
{
	if (guard_is_held(&own_pass, generation))
		return 1;
	for (const struct pass_entry *entry = passes; entry != NULL; entry = entry->next) {
		if (guard_is_held(entry->pass, generation))
			return 1;
	}
	return 0;
}

uint8_t export_table_is_accessed(const struct export *export)
{
	uint8_t answer;

	pthread_mutex_lock(&lock);
	answer = is_accessed(export->generation);
	pthread_mutex_unlock(&lock);
	return answer;
}

const struct export_identity *export_identity(void)
{
	const struct export_identity *answer;

	pthread_mutex_lock(&lock);
	answer = identity.pid == getpid() ? &identity : NULL;
	pthread_mutex_unlock(&lock);
	return answer;
}

const struct guard_board *export_board(int *fd)
{
	const struct guard_board *answer;

	pthread_mutex_lock(&lock);
	answer = identity.pid == getpid() ? board : NULL;
	if (fd != NULL)
		*fd = answer == NULL ? -1 : board_fd;
	pthread_mutex_unlock(&lock);
	return answer;
}

void export_show_life(void)
{
	pthread_mutex_lock(&lock);
	if (board != NULL && identity.pid == getpid())
		guard_live(board);
	pthread_mutex_unlock(&lock);
}

void sd_memory_count_end(void)
{
	pthread_mutex_lock(&lock);
	if (board != NULL && identity.pid == getpid())
		atomic_fetch_add(&board->ends, 1);
	pthread_mutex_unlock(&lock);
}

struct guard_pass *export_own_pass(void)
{
	return &own_pass;
}

doca_error_t export_add_pass(struct guard_pass *pass)
{
	struct pass_entry *entry = malloc(sizeof(*entry));

	if (entry == NULL)
		return DOCA_ERROR_NO_MEMORY;
	entry->pass = pass;
	pthread_mutex_lock(&lock);
	entry->next = passes;
	passes = entry;
	pthread_mutex_unlock(&lock);
	return DOCA_SUCCESS;
}

void export_remove_pass(struct guard_pass *pass)
{
	struct pass_entry **place = &passes, *entry;

	pthread_mutex_lock(&lock);
	while ((*place)->pass != pass)
		place = &(*place)->next;
	entry = *place;
	*place = entry->next;
	pthread_mutex_unlock(&lock);
	free(entry);
}

/* Returns the export, or NULL if it never existed or was withdrawn. The lock must be held. */
static const struct export *find(uint32_t slot, uint64_t generation)
{
	const struct export *export = slot < GUARD_SLOTS ? exports[slot] : NULL;

	if (export == NULL || export->generation != generation || !guard_is_valid(board, slot, generation))
		return NULL;
	return export;
}

uint8_t export_is_void(const struct export *export)
{
	uint8_t answer;

	pthread_mutex_lock(&lock);
	answer = export->owner == getpid() && find(export->slot, export->generation) == NULL;
	pthread_mutex_unlock(&lock);
	return answer;
}

static uint8_t matches(const struct export *export, uint64_t key)
{
	return export != NULL && (key == 0 || export->key == key);
}

uint8_t export_is_valid_as(const struct export *claim)
{
	const struct export *export;
	uint8_t answer;

	pthread_mutex_lock(&lock);
	export = find(claim->slot, claim->generation);
	answer = matches(export, claim->key) && export->addr == claim->addr && export->len == claim->len &&
		 export->permissions == claim->permissions;
	pthread_mutex_unlock(&lock);
	return answer;
}

static uint8_t contains(const struct export *export, const struct export_access *access)
{
	return access->addr >= export->addr && access->addr - export->addr <= export->len &&
	       access->len <= export->len - (access->addr - export->addr);
}

uint8_t export_grants(const struct export_access *access, uint32_t permissions)
{
	const struct export *export;
	uint8_t answer;

	pthread_mutex_lock(&lock);
	export = find(access->slot, access->generation);
	answer = matches(export, access->key) && (export->permissions & permissions) != 0 && contains(export, access);
	pthread_mutex_unlock(&lock);
	return answer;
}

static uint8_t is_writable_number(const struct export *export, uint64_t addr)
{
	return export->is_number && export->addr == addr && (export->permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0;
}

uint8_t export_grants_change(const struct export_access *access)
{
	struct export_access number = *access;
	const struct export *export;
	uint8_t answer;

	number.len = sizeof(uint64_t);
	if (access->addr % sizeof(uint64_t) != 0)
		return 0;
	if (access->key != 0)
		return export_grants(&number, DOCA_ACCESS_FLAG_RDMA_ATOMIC);
	pthread_mutex_lock(&lock);
	export = find(access->slot, access->generation);
	answer = export != NULL && is_writable_number(export, access->addr);
	pthread_mutex_unlock(&lock);
	return answer;
}
