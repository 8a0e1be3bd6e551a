/* libssl, which the library loads when RDMA over TCP is on. The build does not need it. */
#ifndef TLS_LIBRARY_H
#define TLS_LIBRARY_H

#include <stddef.h>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_method_st SSL_METHOD;

/** Functions of libssl and libcrypto, with their names there. */
struct tls_library {
	const SSL_METHOD *(*TLS_client_method)(void);
	const SSL_METHOD *(*TLS_server_method)(void);
	SSL_CTX *(*SSL_CTX_new)(const SSL_METHOD *method);
	void (*SSL_CTX_free)(SSL_CTX *context);
	long (*SSL_CTX_ctrl)(SSL_CTX *context, int command, long number, void *pointer);
	int (*SSL_CTX_set_ciphersuites)(SSL_CTX *context, const char *names);
	int (*SSL_CTX_set_num_tickets)(SSL_CTX *context, size_t number);
	void (*SSL_CTX_set_verify)(SSL_CTX *context, int mode, void *callback);
	void (*SSL_CTX_set_psk_client_callback)(SSL_CTX *context,
						unsigned int (*find)(SSL *ssl, const char *hint, char *identity,
								     unsigned int max_identity, unsigned char *key,
								     unsigned int max_key));
	void (*SSL_CTX_set_psk_server_callback)(SSL_CTX *context,
						unsigned int (*find)(SSL *ssl, const char *identity, unsigned char *key,
								     unsigned int max_key));
	SSL *(*SSL_new)(SSL_CTX *context);
	void (*SSL_free)(SSL *ssl);
	int (*SSL_set_fd)(SSL *ssl, int fd);
	void (*SSL_set_connect_state)(SSL *ssl);
	void (*SSL_set_accept_state)(SSL *ssl);
	int (*SSL_do_handshake)(SSL *ssl);
	int (*SSL_session_reused)(const SSL *ssl);
	int (*SSL_read_ex)(SSL *ssl, void *bytes, size_t len, size_t *done);
	int (*SSL_write_ex)(SSL *ssl, const void *bytes, size_t len, size_t *done);
	int (*SSL_shutdown)(SSL *ssl);
	int (*SSL_get_error)(const SSL *ssl, int result);
	unsigned long (*ERR_get_error)(void);
	void (*ERR_clear_error)(void);
	const char *(*ERR_reason_error_string)(unsigned long error);
};

/** Returns libssl, or NULL: the log names the cause. Thread: any. */
const struct tls_library *tls_library(void);

#endif
