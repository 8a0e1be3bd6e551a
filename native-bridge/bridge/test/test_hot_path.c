/* A turn of the engine makes no system call and no allocation once tasks are kept for re-use; nor does an arriving message. */
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "comch_rig.h"

#ifdef IS_SANITIZED
int main(void)
{
	return SKIPPED;
}
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);

static uint32_t num_allocations;

void *malloc(size_t size)
{
	num_allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	num_allocations++;
	return __libc_calloc(count, size);
}

static struct doca_comch_connection *connection;

static void send_one(void *argument)
{
	(void)argument;
	comch_message(connection, 77);
}

/* Runs some tasks, and receives a message. */
static uint32_t turn(struct rig *rig, uint64_t count)
{
	uint32_t taken = 0;
	uint64_t i;

	fake_pe_next_turn(rig->pe, send_one, NULL);
	for (i = 0; i < count; i++)
		rig_put(rig, i, 10);
	dpubridge_enter(rig->bridge, 64);
	comch_take(rig, DPUBRIDGE_RECORD_MESSAGE, 77);
	while (rig_unread(rig) > 0) {
		rig_take(rig);
		taken++;
	}
	return taken;
}

/* In strict mode the kernel kills the process at any system call except read, write and exit. */
static void run_strictly(struct rig *rig)
{
	uint32_t i, taken = 0;

	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		syscall(SYS_exit, SKIPPED);
	num_allocations = 0;
	for (i = 0; i < 1000; i++)
		taken += turn(rig, 1 + i % 8);
	syscall(SYS_exit, num_allocations == 0 && taken == 4500 ? 0 : 1);
}

int main(void)
{
	struct rig rig;
	pid_t child;
	int status;

	rig_create_cells(&rig, 8, 64, 8, 4);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, DPUBRIDGE_COMCH_SERVER), 0);
	rig_start(&rig);
	connection = fake_connect(rig.ctx);
	comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	fake_ctx_finish_at_once(rig.ctx, true);
	CHECK_EQ(turn(&rig, 8), 8);
	/* The child counts as the owner's thread: fork copies the calling thread. */
	child = fork();
	CHECK(child >= 0);
	if (child == 0)
		run_strictly(&rig);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		return SKIPPED;
	CHECK_EQ(WEXITSTATUS(status), 0);
	fake_peer_leaves(connection);
	rig_destroy(&rig);
	return 0;
}
#endif
