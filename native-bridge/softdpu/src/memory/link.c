#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

void link_name(char name[SD_RENDEZVOUS_NAME], uint32_t pid, uint64_t start_time, uint64_t cookie)
{
	char scope[16], label[48];

	snprintf(scope, sizeof(scope), "%u", pid);
	snprintf(label, sizeof(label), "%llx-%llx", (unsigned long long)cookie, (unsigned long long)start_time);
	sd_rendezvous_name(name, "memory", scope, label);
}

/*
 * The data is exported memory. The other process orders its accesses by means that sanitizers cannot see. The program may also
 * have unmapped the memory, so the kernel must detect that. These functions therefore use raw system calls, which sanitizers do
 * not check.
 */

/* Space for one descriptor in a message. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void attach(struct msghdr *message, union control *control, int fd)
{
	struct cmsghdr *header;

	memset(control, 0, sizeof(*control));
	message->msg_control = control->bytes;
	message->msg_controllen = sizeof(control->bytes);
	header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
}

uint8_t link_send(int socket, const void *head, size_t head_len, const void *data, size_t len, int fd)
{
	struct iovec pieces[2] = { { (void *)(uintptr_t)head, head_len }, { (void *)(uintptr_t)data, len } };
	struct msghdr message = { .msg_iov = pieces, .msg_iovlen = len > 0 ? 2 : 1 };
	union control control;
	ssize_t sent;

	if (fd >= 0)
		attach(&message, &control, fd);
	do {
		sent = syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)(head_len + len);
}

/* Returns the descriptor in the message, or -1. */
static int take_descriptor(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int fd;

	if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(fd)))
		return -1;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

int link_receive(int socket, void *head, size_t head_len, void *data, size_t *len, int *fd)
{
	struct iovec pieces[2] = { { head, head_len }, { data, *len } };
	union control control;
	struct msghdr message = {
		.msg_iov = pieces,
		.msg_iovlen = *len > 0 ? 2 : 1,
		.msg_control = control.bytes,
		.msg_controllen = CMSG_LEN(sizeof(int)), /* the padding of CMSG_SPACE has room for a second descriptor */
	};
	ssize_t received;
	int came;

	do {
		received = syscall(SYS_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
	} while (received < 0 && errno == EINTR);
	if (received <= 0)
		return (int)received;
	came = take_descriptor(&message);
	if (came >= 0 && (fd == NULL || (size_t)received < head_len)) {
		close(came);
		came = -1;
	}
	if ((size_t)received < head_len) {
		errno = EBADMSG;
		return -1;
	}
	if (fd != NULL)
		*fd = came;
	*len = (size_t)received - head_len;
	return 1;
}
