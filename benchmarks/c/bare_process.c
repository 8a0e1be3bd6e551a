#include "bare.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "report.h"

/* Starts a child that has a copy of this process's memory, at the same addresses, and does nothing. */
static pid_t start_child(void)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
			for (;;)
				pause();
		_exit(1);
	}
	if (child < 0)
		report_system("fork", "process of the memory");
	return child;
}

static bool write_all(pid_t child, void *memory, uint64_t size, uint64_t count, uint64_t *times_ns)
{
	const struct iovec range = { .iov_base = memory, .iov_len = size };
	uint64_t i;

	for (i = 0; i < count; i++) {
		uint64_t begin_ns = engine_clock_ns();

		if (process_vm_writev(child, &range, 1, &range, 1, 0) != (ssize_t)size)
			return report_system("process_vm_writev", "process of the memory");
		times_ns[i] = engine_clock_ns() - begin_ns;
	}
	return true;
}

bool bare_process_vm(uint64_t size, uint64_t count, uint64_t *times_ns, uint64_t *elapsed_ns)
{
	uint8_t *memory = malloc(size);
	uint64_t begin_ns;
	pid_t child;
	bool done;

	if (memory == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "malloc", "%llu bytes", (unsigned long long)size);
	memset(memory, 1, size);
	child = start_child();
	done = child > 0 && write_all(child, memory, size, 1, times_ns); /* copies the page, which the processes share until then */
	begin_ns = engine_clock_ns();
	done = done && write_all(child, memory, size, count, times_ns);
	*elapsed_ns = engine_clock_ns() - begin_ns;
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	free(memory);
	return done;
}
