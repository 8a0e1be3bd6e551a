#include "tls.h"

#include <stdio.h>
#include <string.h>

#include "sd_config.h"
#include "sd_log.h"

/* Constants of libssl's interface. */
enum {
	CTRL_MODE = 33,
	CTRL_SET_MIN_VERSION = 123,
	VERSION_1_3 = 0x0304,
	MODE_PARTIAL_WRITE = 1,
	MODE_MOVING_BUFFER = 2,
	MODE_RELEASE_BUFFERS = 16,
	VERIFY_PEER = 1,
	ERROR_WANT_READ = 2,
	ERROR_WANT_WRITE = 3,
	ERROR_SYSCALL = 5,
	ERROR_ZERO_RETURN = 6,
	REASON_MASK = 0x7fffff,
	REASON_UNEXPECTED_END = 294,
};

static const char IDENTITY[] = "softdpu-rdma";
static const char CIPHERS[] = "TLS_AES_128_GCM_SHA256";	/* an external key belongs to a hash: SHA-256 */

static SSL_CTX *contexts[2];			/* of clients and servers */
static char reason[128];

static unsigned int take_key(unsigned char *key, unsigned int max)
{
	const struct sd_tcp *tcp = &sd_config()->tcp;

	if (tcp->key_len > max)
		return 0;
	memcpy(key, tcp->key, tcp->key_len);
	return tcp->key_len;
}

static unsigned int find_client_key(SSL *ssl, const char *hint, char *identity, unsigned int max_identity, unsigned char *key,
				    unsigned int max_key)
{
	(void)ssl;
	(void)hint;
	if (sizeof(IDENTITY) > max_identity)
		return 0;
	memcpy(identity, IDENTITY, sizeof(IDENTITY));
	return take_key(key, max_key);
}

static unsigned int find_server_key(SSL *ssl, const char *identity, unsigned char *key, unsigned int max_key)
{
	(void)ssl;
	return strcmp(identity, IDENTITY) == 0 ? take_key(key, max_key) : 0;
}

/* Without a shared key a client would accept a server with a certificate, so it refuses certificates. A server has none. */
static SSL_CTX *create_context(const struct tls_library *tls, uint8_t is_server)
{
	SSL_CTX *context = tls->SSL_CTX_new(is_server ? tls->TLS_server_method() : tls->TLS_client_method());

	if (context == NULL)
		return NULL;
	if (!is_server)
		tls->SSL_CTX_set_verify(context, VERIFY_PEER, NULL); /* without authorities */
	tls->SSL_CTX_set_psk_client_callback(context, find_client_key);
	tls->SSL_CTX_set_psk_server_callback(context, find_server_key);
	tls->SSL_CTX_ctrl(context, CTRL_MODE, MODE_PARTIAL_WRITE | MODE_MOVING_BUFFER | MODE_RELEASE_BUFFERS, NULL);
	if (tls->SSL_CTX_ctrl(context, CTRL_SET_MIN_VERSION, VERSION_1_3, NULL) == 1 &&
	    tls->SSL_CTX_set_ciphersuites(context, CIPHERS) == 1 && tls->SSL_CTX_set_num_tickets(context, 0) == 1)
		return context;
	tls->SSL_CTX_free(context);
	return NULL;
}

uint8_t tls_open(void)
{
	const struct tls_library *tls = tls_library();

	for (uint8_t is_server = 0; tls != NULL && is_server < 2; is_server++) {
		if (contexts[is_server] == NULL)
			contexts[is_server] = create_context(tls, is_server);
		if (contexts[is_server] == NULL) {
			SD_LOG_ERROR("RDMA over TCP is not possible: libssl refuses TLS 1.3 with %s", CIPHERS);
			return 0;
		}
	}
	return tls != NULL;
}

SSL *tls_new(int fd, uint8_t is_server)
{
	const struct tls_library *tls = tls_library();
	SSL *ssl = tls->SSL_new(contexts[is_server]);

	if (ssl == NULL)
		return NULL;
	if (tls->SSL_set_fd(ssl, fd) != 1) {
		tls->SSL_free(ssl);
		return NULL;
	}
	if (is_server)
		tls->SSL_set_accept_state(ssl);
	else
		tls->SSL_set_connect_state(ssl);
	return ssl;
}

static enum tls_result broken(const char *why)
{
	snprintf(reason, sizeof(reason), "%s", why == NULL ? "unknown TLS error" : why);
	return TLS_BROKEN;
}

/* A killed peer ends its socket without an announcement. Frames have lengths, so the tunnel detects an incomplete one. */
static enum tls_result explain(SSL *ssl, int result)
{
	const struct tls_library *tls = tls_library();
	int kind = tls->SSL_get_error(ssl, result);
	unsigned long code;

	switch (kind) {
	case ERROR_WANT_READ:
		return TLS_READ;
	case ERROR_WANT_WRITE:
		return TLS_WRITE;
	case ERROR_ZERO_RETURN:
	case ERROR_SYSCALL:
		return TLS_END;
	default:
		code = tls->ERR_get_error();
		return (code & REASON_MASK) == REASON_UNEXPECTED_END ? TLS_END : broken(tls->ERR_reason_error_string(code));
	}
}

enum tls_result tls_shake_hands(SSL *ssl)
{
	const struct tls_library *tls = tls_library();
	int result;

	tls_library()->ERR_clear_error();
	result = tls->SSL_do_handshake(ssl);
	if (result != 1)
		return explain(ssl, result);
	return tls->SSL_session_reused(ssl) == 1 ? TLS_DONE : broken("the peer did not use the key");
}

enum tls_result tls_read(SSL *ssl, void *bytes, size_t len, size_t *done)
{
	int result;

	tls_library()->ERR_clear_error();
	result = tls_library()->SSL_read_ex(ssl, bytes, len, done);
	return result == 1 ? TLS_DONE : explain(ssl, result);
}

enum tls_result tls_write(SSL *ssl, const void *bytes, size_t len, size_t *done)
{
	int result;

	tls_library()->ERR_clear_error();
	result = tls_library()->SSL_write_ex(ssl, bytes, len, done);
	return result == 1 ? TLS_DONE : explain(ssl, result);
}

void tls_end(SSL *ssl)
{
	tls_library()->ERR_clear_error();
	(void)tls_library()->SSL_shutdown(ssl); /* without room in the socket the peer finds its end */
}

void tls_free(SSL *ssl)
{
	if (ssl != NULL)
		tls_library()->SSL_free(ssl);
}

const char *tls_reason(void)
{
	return reason;
}
