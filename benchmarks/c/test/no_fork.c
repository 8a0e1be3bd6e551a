/* Preloaded by a test: fork() fails. */
#include <errno.h>
#include <unistd.h>

pid_t fork(void)
{
	errno = EAGAIN;
	return -1;
}
