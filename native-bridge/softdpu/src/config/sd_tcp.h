/* Settings of RDMA over TCP. The settings come from the environment only. */
#ifndef SD_TCP_H
#define SD_TCP_H

#include <stdint.h>

enum { SD_TCP_ADDRESS_LEN = 16, SD_TCP_MIN_KEY = 32, SD_TCP_MAX_KEY = 64 };

/** TCP is on if there is a key. */
struct sd_tcp {
	uint8_t address[SD_TCP_ADDRESS_LEN];	/**< of this process; IPv4 addresses are mapped (::ffff:a.b.c.d) */
	uint8_t key[SD_TCP_MAX_KEY];		/**< shared with all peers */
	uint32_t key_len;			/**< 0: TCP is off */
};

/** Reads an IPv4 or IPv6 address in digits. Returns 0 if it is none, or a wildcard. */
uint8_t sd_tcp_read_address(struct sd_tcp *tcp, const char *text);
/** Reads the key from a file. Returns 0 if it is not usable; why has the reason then, in SD_REASON_SIZE bytes. */
uint8_t sd_tcp_read_key(struct sd_tcp *tcp, const char *path, char *why);

#endif
