/* The rendezvous folder and the names of its sockets. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_log.h"
#include "sd_rendezvous.h"

enum { MAX_PATH = 4096, READABLE = 16, FOREIGN_BITS = 0077 };

/* Returns true if the directory exists and belongs to this user. XDG_RUNTIME_DIR may be stale and belong to another user. */
static uint8_t is_own_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

static uint8_t find_path(char *path)
{
	const char *chosen = getenv("SOFTDPU_DIR");
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	int len;

	if (chosen != NULL && *chosen != '\0')
		len = snprintf(path, MAX_PATH, "%s", chosen);
	else if (runtime != NULL && *runtime == '/' && is_own_directory(runtime))
		len = snprintf(path, MAX_PATH, "%s/softdpu", runtime);
	else
		len = snprintf(path, MAX_PATH, "/tmp/softdpu-%u", (unsigned int)geteuid());
	return len > 0 && len < MAX_PATH;
}

static doca_error_t check_folder(int fd, const char *path)
{
	struct stat status;

	if (fstat(fd, &status) != 0) {
		SD_LOG_ERROR("cannot check rendezvous folder %s: %s", path, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (status.st_uid != geteuid()) {
		SD_LOG_ERROR("rendezvous folder %s belongs to user %u, not to %u: set SOFTDPU_DIR to a folder that you own",
			     path, (unsigned int)status.st_uid, (unsigned int)geteuid());
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if ((status.st_mode & FOREIGN_BITS) != 0) {
		SD_LOG_ERROR("rendezvous folder %s is open to other users (mode %04o): run chmod 0700 on it, or set SOFTDPU_DIR",
			     path, (unsigned int)(status.st_mode & 07777));
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_rendezvous_folder(int *folder_fd)
{
	char path[MAX_PATH];
	doca_error_t result;
	int fd;

	if (!find_path(path)) {
		SD_LOG_ERROR("the path of the rendezvous folder has more than %d bytes: set SOFTDPU_DIR to a shorter one",
			     MAX_PATH - 1);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		SD_LOG_ERROR("cannot create rendezvous folder %s: %s", path, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	/* All later accesses use this descriptor. A later change of the path has no effect. */
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		uint8_t is_other = errno == ELOOP || errno == ENOTDIR;

		SD_LOG_ERROR("cannot open rendezvous folder %s: %s", path,
			     is_other ? "it is a link or not a folder" : strerror(errno));
		return is_other ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_OPERATING_SYSTEM;
	}
	result = check_folder(fd, path);
	if (result != DOCA_SUCCESS) {
		close(fd);
		return result;
	}
	*folder_fd = fd;
	return DOCA_SUCCESS;
}

/* Hashes the string by FNV-1a, including its NUL, which separates it from the next string. */
static uint64_t hash(uint64_t start, const char *text)
{
	uint64_t h = start;

	do {
		h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	} while (*text++ != '\0');
	return h;
}

static uint64_t hash_all(uint64_t start, const char *kind, const char *scope, const char *label)
{
	return hash(hash(hash(start, kind), scope), label);
}

static void copy_readable(char *to, const char *from)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	size_t i;

	for (i = 0; i < READABLE - 1 && from[i] != '\0'; i++)
		to[i] = strchr(plain, from[i]) != NULL ? from[i] : '_';
	to[i] = '\0';
}

void sd_rendezvous_name(char *name, const char *kind, const char *scope, const char *label)
{
	char parts[3][READABLE];

	copy_readable(parts[0], kind);
	copy_readable(parts[1], scope);
	copy_readable(parts[2], label);
	snprintf(name, SD_RENDEZVOUS_NAME, "%.8s.%s.%s.%016llx%08x", parts[0], parts[1], parts[2],
		 (unsigned long long)hash_all(UINT64_C(0xcbf29ce484222325), kind, scope, label),
		 (unsigned int)(hash_all(UINT64_C(0x84222325cbf29ce4), kind, scope, label) >> 32));
}
