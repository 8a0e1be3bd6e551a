/*
 * Accesses of the requester's device to the memory of the responder's process. The functions of this file replace those of libc, also
 * for the library, and call the hooks of the test.
 */
#ifndef RDMA_ACCESSES_H
#define RDMA_ACCESSES_H

#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rdma_tasks.h"

/* Hooks of the test, set before it opens its pair; NULL: none. The thread of an access calls them. */
static struct {
	pthread_t program;			/* the thread of the test; its accesses call no hook */
	void (*begins)(void);			/* before the copy, or before the request to the responder's process */
	void (*waits)(void);			/* after the request; several times if the answer is late */
	void (*ends)(void);			/* the data is copied, or the answer has arrived */
} access_hooks;

RIG void call_hook(void (*hook)(void))
{
	if (hook != NULL && !pthread_equal(pthread_self(), access_hooks.program))
		hook();
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long num_here, const struct iovec *there,
			  unsigned long num_there, unsigned long flags)
{
	ssize_t done;

	call_hook(access_hooks.begins);
	done = syscall(SYS_process_vm_writev, pid, here, num_here, there, num_there, flags);
	call_hook(access_hooks.ends);
	return done;
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long num_here, const struct iovec *there,
			 unsigned long num_there, unsigned long flags)
{
	ssize_t done;

	call_hook(access_hooks.begins);
	done = syscall(SYS_process_vm_readv, pid, here, num_here, there, num_there, flags);
	call_hook(access_hooks.ends);
	return done;
}

/*
 * The device waits for room in the socket before the request, and then for the answer. glibc declares that poll() only writes its
 * entries. Without volatile, gcc warns that this function reads them (-Wmaybe-uninitialized).
 */
int poll(struct pollfd *fds, nfds_t count, int limit_ms)
{
	struct timespec limit = { limit_ms / 1000, limit_ms % 1000 * 1000000L }; /* the kernel changes it */
	const struct pollfd *const volatile entries = fds;
	const int events = count == 1 && limit_ms > 0 ? entries->events : 0;
	int ready;

	if (events == POLLIN)
		call_hook(access_hooks.waits);
	ready = (int)syscall(SYS_ppoll, fds, count, limit_ms < 0 ? NULL : &limit, NULL, 0);
	if (ready > 0 && events == POLLOUT)
		call_hook(access_hooks.begins);
	if (ready > 0 && events == POLLIN)
		call_hook(access_hooks.ends);
	return ready;
}

#endif
