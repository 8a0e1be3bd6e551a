#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tunnel.h"

enum { IDLE_S = 5, INTERVAL_S = 2, PROBES = 3, SILENCE_MS = 11000 };

void tunnel_address(struct sockaddr_in6 *address, const uint8_t raw[SD_TCP_ADDRESS_LEN], uint16_t port)
{
	*address = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(port) };
	memcpy(&address->sin6_addr, raw, SD_TCP_ADDRESS_LEN);
}

static void set(int fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof(value)); /* the tunnel also works without */
}

/* A host that does not answer for 11 s is lost. */
void tunnel_set_options(int fd)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, IDLE_S);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, INTERVAL_S);
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, SILENCE_MS);
}

int tunnel_socket(void)
{
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0)
		set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	return fd;
}
