/* Internal interface of the sockets of servers. */
#ifndef SOCKET_H
#define SOCKET_H

#include <sys/socket.h>
#include <sys/un.h>

#include "sd_rendezvous.h"

enum { RENDEZVOUS_SOCKET_TYPE = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK };

/* Sets the address of a name. It uses the folder's descriptor: its length is bounded, and no process can exchange the folder. */
void rendezvous_address(struct sockaddr_un *address, int folder_fd, const char *name);

#endif
