#include "sd_tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_reason.h"

enum { MAPPED = 12 };

uint8_t sd_tcp_read_address(struct sd_tcp *tcp, const char *text)
{
	static const uint8_t wildcard[SD_TCP_ADDRESS_LEN], mapped[MAPPED] = { [10] = 0xff, [11] = 0xff };
	uint8_t address[SD_TCP_ADDRESS_LEN];

	memcpy(address, mapped, MAPPED);
	if (inet_pton(AF_INET, text, address + MAPPED) != 1 && inet_pton(AF_INET6, text, address) != 1)
		return 0;
	if (memcmp(address, wildcard, sizeof(wildcard)) == 0 ||
	    (memcmp(address, mapped, MAPPED) == 0 && memcmp(address + MAPPED, wildcard, 4) == 0))
		return 0;
	memcpy(tcp->address, address, sizeof(address));
	return 1;
}

/* Only this user may read the key: any process with the key may connect. */
static uint8_t check_file(int fd, char *why)
{
	struct stat file;

	if (fstat(fd, &file) != 0) {
		snprintf(why, SD_REASON_SIZE, "fstat: %s", strerror(errno));
		return 0;
	}
	if (S_ISREG(file.st_mode) && (file.st_mode & 07777) == 0600 && file.st_uid == geteuid())
		return 1;
	snprintf(why, SD_REASON_SIZE, "it must be a file of user %u with mode 0600; this has user %u and mode %04o",
		 (unsigned int)geteuid(), (unsigned int)file.st_uid, (unsigned int)file.st_mode & 07777);
	return 0;
}

static uint8_t read_file(int fd, struct sd_tcp *tcp, char *why)
{
	uint8_t bytes[SD_TCP_MAX_KEY + 1];
	ssize_t len = read(fd, bytes, sizeof(bytes));

	if (len < 0) {
		snprintf(why, SD_REASON_SIZE, "read: %s", strerror(errno));
		return 0;
	}
	if (len < SD_TCP_MIN_KEY || len > SD_TCP_MAX_KEY) {
		snprintf(why, SD_REASON_SIZE, "it must have %d to %d bytes", SD_TCP_MIN_KEY, SD_TCP_MAX_KEY);
		return 0;
	}
	memcpy(tcp->key, bytes, (size_t)len);
	tcp->key_len = (uint32_t)len;
	return 1;
}

uint8_t sd_tcp_read_key(struct sd_tcp *tcp, const char *path, char *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	uint8_t is_read;

	if (fd < 0) {
		snprintf(why, SD_REASON_SIZE, "open: %s", strerror(errno));
		return 0;
	}
	is_read = check_file(fd, why) && read_file(fd, tcp, why);
	close(fd);
	return is_read;
}
