/* A peer that uses the wire format of comch directly, like a hostile one. For the function 81:00.0. */
#ifndef COMCH_RAW_H
#define COMCH_RAW_H

#include <sys/socket.h>
#include <sys/uio.h>

#include "../src/comch/wire.h"
#include "comch_process.h"
#include "sd_rendezvous.h"

RIG int raw_connect(const char *server)
{
	char name[SD_RENDEZVOUS_NAME];
	pid_t peer;
	int fd;

	sd_rendezvous_name(name, "comch", "0000:81:00.0", server);
	CHECK_OK(sd_rendezvous_connect(name, &fd, &peer));
	return fd;
}

RIG void raw_send(int fd, uint32_t type, uint32_t value, const void *bytes, size_t len, const int *fds, int num_fds)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control = { 0 };
	struct comch_packet packet = { .type = type, .value = value };
	struct iovec parts[2] = { { &packet, sizeof(packet) }, { (void *)(uintptr_t)bytes, len } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	if (num_fds > 0) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE((size_t)num_fds * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN((size_t)num_fds * sizeof(int));
		memcpy(CMSG_DATA(&control.header), fds, (size_t)num_fds * sizeof(int));
	}
	(void)!sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

RIG uint8_t raw_is_welcome(int fd)
{
	uint8_t answer[64];

	return recv(fd, answer, sizeof(answer), MSG_DONTWAIT) > 0;
}

/* sides: NULL in a process other than the server's */
RIG void raw_greet(int fd, const char *server, struct side *one, struct side *other)
{
	struct comch_hello hello = { .version = COMCH_VERSION, .max_msg_size = SIDE_MESSAGE, .function = "0000:81:00.0" };

	strcpy(hello.name, server);
	raw_send(fd, COMCH_HELLO, 0, &hello, sizeof(hello), NULL, 0);
	SIDE_PROGRESS_UNTIL(one, other, raw_is_welcome(fd));
}

#endif
