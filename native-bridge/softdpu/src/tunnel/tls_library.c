/* Loads libssl once. */
#include "tls_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "sd_log.h"

#define FUNCTION(name) { #name, offsetof(struct tls_library, name) }

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	FUNCTION(TLS_client_method),
	FUNCTION(TLS_server_method),
	FUNCTION(SSL_CTX_new),
	FUNCTION(SSL_CTX_free),
	FUNCTION(SSL_CTX_ctrl),
	FUNCTION(SSL_CTX_set_ciphersuites),
	FUNCTION(SSL_CTX_set_num_tickets),
	FUNCTION(SSL_CTX_set_verify),
	FUNCTION(SSL_CTX_set_psk_client_callback),
	FUNCTION(SSL_CTX_set_psk_server_callback),
	FUNCTION(SSL_new),
	FUNCTION(SSL_free),
	FUNCTION(SSL_set_fd),
	FUNCTION(SSL_set_connect_state),
	FUNCTION(SSL_set_accept_state),
	FUNCTION(SSL_do_handshake),
	FUNCTION(SSL_session_reused),
	FUNCTION(SSL_read_ex),
	FUNCTION(SSL_write_ex),
	FUNCTION(SSL_shutdown),
	FUNCTION(SSL_get_error),
	FUNCTION(ERR_get_error),
	FUNCTION(ERR_clear_error),
	FUNCTION(ERR_reason_error_string),
};

static struct tls_library library;
static const struct tls_library *loaded;

static uint8_t find_functions(void *handle)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void **place = (void **)((char *)&library + functions[i].offset);

		*place = dlsym(handle, functions[i].name);
		if (*place == NULL) {
			SD_LOG_ERROR("RDMA over TCP is not possible: libssl lacks %s (version 1.1.1 or later is needed)",
				     functions[i].name);
			return 0;
		}
	}
	return 1;
}

static void load(void)
{
	void *handle = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
	const char *reason;

	if (handle == NULL)
		handle = dlopen("libssl.so.1.1", RTLD_NOW | RTLD_LOCAL);
	if (handle != NULL) {
		loaded = find_functions(handle) ? &library : NULL;
		return;
	}
	reason = dlerror();
	SD_LOG_ERROR("RDMA over TCP is not possible without libssl (install libssl3): %s", reason == NULL ? "not loaded" : reason);
}

const struct tls_library *tls_library(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return loaded;
}
