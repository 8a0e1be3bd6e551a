/* A raw peer of RDMA over TCP that has the key: TLS sessions, and scripts of frames that it sends through them. */
#ifndef RDMA_RAW_H
#define RDMA_RAW_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "../src/memory/link.h"
#include "../src/memory/remote_desc.h"
#include "../src/rdma/rdma_details.h"
#include "../src/rdma/wire.h"
#include "../src/tunnel/tls_library.c"
#include "../src/tunnel/tls.c"
#include "../src/tunnel/tunnel.h"
#include "rdma.h"
#include "rendezvous.h"
#include "sd_random.h"

enum { RAW_FRAMES = 12, RAW_DATA = 64, RAW_LIMIT_MS = RIG_LIMIT_S * 1000, RAW_KEY = 4711 };

struct raw_script {
	size_t num_frames;
	struct {
		uint32_t claimed, len;		/* in the stream, and of the bytes */
		uint8_t bytes[sizeof(struct link_request) + RAW_DATA];
	} frames[RAW_FRAMES];
};

RIG uint64_t raw_seed = 21;

RIG uint32_t raw_draw(uint32_t below)
{
	return (uint32_t)(sd_random_next(&raw_seed) % below);
}

/* --- correct conversations --- */

RIG void raw_add(struct raw_script *script, const void *bytes, size_t len)
{
	CHECK(script->num_frames < RAW_FRAMES && len <= sizeof(script->frames[0].bytes));
	script->frames[script->num_frames].claimed = script->frames[script->num_frames].len = (uint32_t)len;
	memcpy(script->frames[script->num_frames++].bytes, bytes, len);
}

RIG void raw_add_greeting(struct raw_script *script, const char *kind, const char *scope, const char *label)
{
	struct tunnel_greeting greeting = { .magic = TUNNEL_MAGIC, .version = TUNNEL_VERSION };

	sd_rendezvous_name(greeting.name, kind, scope, label);
	raw_add(script, &greeting, sizeof(greeting));
}

#define RAW_ADD_PACKET(script, ...) raw_add(script, &(const struct rdma_packet){ __VA_ARGS__ }, sizeof(struct rdma_packet))

/* Greets the connection and sends a message of 8 bytes. The answers are WELCOME, READY and ANSWER. */
RIG void raw_talk_to_connection(struct raw_script *script, const struct rdma_details *details)
{
	char scope[16], label[24];
	uint8_t data[sizeof(struct rdma_packet) + 8] = { RDMA_DATA };

	snprintf(scope, sizeof(scope), "%u", details->pid);
	snprintf(label, sizeof(label), "%llx", (unsigned long long)details->port);
	raw_add_greeting(script, "rdma", scope, label);
	RAW_ADD_PACKET(script, .type = RDMA_HELLO, .value = RDMA_WIRE_VERSION, .key = RAW_KEY, .peer_key = details->key);
	RAW_ADD_PACKET(script, .type = RDMA_MESSAGE, .total = 8);
	raw_add(script, data, sizeof(data));
}

RIG void raw_add_request(struct raw_script *script, const struct remote_desc *memory, uint64_t via, enum link_verb verb, uint64_t len,
			 uint32_t change)
{
	const struct link_request request = {
		.magic = LINK_MAGIC,
		.verb = verb,
		.cookie = memory->cookie,
		.generation = memory->generation,
		.addr = memory->addr,
		.len = len,
		.key = memory->key,
		.via = via,
		.slot = memory->slot,
		.change = change,
	};
	uint8_t bytes[sizeof(request) + RAW_DATA] = { 0 };

	memcpy(bytes, &request, sizeof(request));
	raw_add(script, bytes, sizeof(request) + (verb == LINK_WRITE ? len : 0));
}

/* via: key of an open connection; then each request has an answer with status SUCCESS. */
RIG void raw_talk_to_memory(struct raw_script *script, const struct remote_desc *memory, uint64_t via)
{
	char scope[16], label[48];

	snprintf(scope, sizeof(scope), "%u", memory->pid);
	snprintf(label, sizeof(label), "%llx-%llx", (unsigned long long)memory->cookie, (unsigned long long)memory->start_time);
	raw_add_greeting(script, "memory", scope, label);
	raw_add_request(script, memory, via, LINK_HELLO, 0, 0);
	raw_add_request(script, memory, via, LINK_CHECK, memory->len, memory->permissions);
	raw_add_request(script, memory, via, LINK_READ, 100, 0);
	raw_add_request(script, memory, via, LINK_WRITE, RAW_DATA, 0);
	raw_add_request(script, memory, via, LINK_CHANGE, 8, 0);
}

/* --- the peer --- */

RIG SSL *raw_open_session(const struct sd_endpoint *endpoint, int *fd)
{
	struct sockaddr_in gate = { .sin_family = AF_INET, .sin_port = htons(endpoint->port) };
	enum tls_result result;
	SSL *ssl;

	gate.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(*fd >= 0 && connect(*fd, (struct sockaddr *)&gate, sizeof(gate)) == 0);
	CHECK(fcntl(*fd, F_SETFL, O_NONBLOCK) == 0);
	ssl = tls_new(*fd, 0);
	CHECK(ssl != NULL);
	while ((result = tls_shake_hands(ssl)) != TLS_DONE) {
		struct pollfd wait = { .fd = *fd, .events = result == TLS_READ ? POLLIN : POLLOUT };

		CHECK(result == TLS_READ || result == TLS_WRITE);
		CHECK(poll(&wait, 1, RAW_LIMIT_MS) == 1);
	}
	return ssl;
}

/* Sends all bytes in random pieces. Returns 0 if the other side has ended the session. */
RIG uint8_t raw_send_stream(SSL *ssl, int fd, const uint8_t *bytes, size_t len)
{
	while (len > 0) {
		size_t part = 1 + raw_draw(raw_draw(3) == 0 ? 3 : 200), done;
		enum tls_result result = tls_write(ssl, bytes, part < len ? part : len, &done);
		struct pollfd wait = { .fd = fd, .events = result == TLS_READ ? POLLIN : POLLOUT };

		if (result == TLS_END || result == TLS_BROKEN)
			return 0;
		if (result == TLS_DONE) {
			bytes += done;
			len -= done;
		} else {
			CHECK(poll(&wait, 1, RAW_LIMIT_MS) == 1);
		}
	}
	return 1;
}

RIG uint8_t raw_send_script(SSL *ssl, int fd, const struct raw_script *script)
{
	uint8_t stream[RAW_FRAMES * (sizeof(uint32_t) + sizeof(script->frames[0].bytes))];
	size_t len = 0;

	for (size_t i = 0; i < script->num_frames; i++) {
		memcpy(stream + len, &script->frames[i].claimed, sizeof(uint32_t));
		memcpy(stream + len + sizeof(uint32_t), script->frames[i].bytes, script->frames[i].len);
		len += sizeof(uint32_t) + script->frames[i].len;
	}
	return raw_send_stream(ssl, fd, stream, len);
}

/* Receives exactly len bytes. Returns 0 at the end of the session. */
RIG uint8_t raw_receive(SSL *ssl, int fd, void *bytes, size_t len)
{
	while (len > 0) {
		size_t done = 0;
		enum tls_result result = tls_read(ssl, bytes, len, &done);
		struct pollfd wait = { .fd = fd, .events = result == TLS_WRITE ? POLLOUT : POLLIN };

		if (result == TLS_END || result == TLS_BROKEN)
			return 0;
		if (result != TLS_DONE)
			CHECK(poll(&wait, 1, RAW_LIMIT_MS) == 1);
		bytes = (uint8_t *)bytes + done;
		len -= done;
	}
	return 1;
}

RIG void raw_close_session(SSL *ssl, int fd)
{
	if (raw_draw(2) == 0)
		tls_end(ssl);
	tls_free(ssl);
	close(fd);
}

#endif
