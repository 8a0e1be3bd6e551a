/*
 * TLS 1.3 with the key of the settings as external pre-shared key, and with an ephemeral key exchange (psk_dhe_ke). Both sides
 * prove that they have the key. There are no certificates, tickets, or earlier versions.
 *
 * Thread: the service thread, except for tls_open().
 */
#ifndef TLS_H
#define TLS_H

#include <stddef.h>
#include <stdint.h>

#include "tls_library.h"

enum tls_result {
	TLS_DONE,
	TLS_READ,				/**< repeat the call when the socket is readable */
	TLS_WRITE,				/**< repeat the call when the socket is writable */
	TLS_END,				/**< the socket has ended */
	TLS_BROKEN,				/**< tls_reason() has the reason */
};

/** Prepares the sessions of this process. Returns 0 without libssl; the log names the cause. Thread: any, one at a time. */
uint8_t tls_open(void);
/** Creates a session on a connected socket. NULL: no memory. */
SSL *tls_new(int fd, uint8_t is_server);
enum tls_result tls_shake_hands(SSL *ssl);
/** Reads at least one and at most len bytes. */
enum tls_result tls_read(SSL *ssl, void *bytes, size_t len, size_t *done);
/** Writes at least one and at most len bytes. */
enum tls_result tls_write(SSL *ssl, const void *bytes, size_t len, size_t *done);
/** Announces the end of this side's bytes. */
void tls_end(SSL *ssl);
void tls_free(SSL *ssl);
/** Returns the reason of the last TLS_BROKEN. */
const char *tls_reason(void);

#endif
