/* The rendezvous folder and the names of its sockets. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_fnv.h"
#include "sd_log.h"
#include "sd_rendezvous.h"

enum { MAX_PATH = 4096, MAX_LOGGED_PATH = 300, READABLE = 16, FOREIGN_BITS = 0077 };

#define REMEDY "a folder of mode 0700 that belongs to you"

/* Returns true if the directory exists and belongs to this user. XDG_RUNTIME_DIR may be stale and belong to another user. */
static uint8_t is_own_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

static uint8_t is_set(const char *value)
{
	return value != NULL && *value != '\0';
}

static uint8_t find_path(char *path)
{
	const char *chosen = getenv("SOFTDPU_DIR");
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	int len;

	if (is_set(chosen))
		len = snprintf(path, MAX_PATH, "%s", chosen);
	else if (runtime != NULL && *runtime == '/' && is_own_directory(runtime))
		len = snprintf(path, MAX_PATH, "%s/softdpu", runtime);
	else
		len = snprintf(path, MAX_PATH, "/tmp/softdpu-%u", (unsigned int)geteuid());
	return len > 0 && len < MAX_PATH;
}

/* Writes the operation that failed and the cause. */
static doca_error_t refuse(doca_error_t result, char *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, SD_RENDEZVOUS_REASON - sizeof("; name " REMEDY), format, arguments);
	va_end(arguments);
	return result;
}

static doca_error_t refuse_call(int error, char *why, const char *operation)
{
	return refuse(error == EACCES || error == EPERM ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_OPERATING_SYSTEM, why,
		      "cannot %s: %s", operation, strerror(error));
}

static doca_error_t check_folder(int fd, uint8_t for_server, char *why)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return refuse_call(errno, why, "check the folder");
	if (status.st_uid != geteuid())
		return refuse(DOCA_ERROR_NOT_PERMITTED, why, "the folder belongs to user %u, not to %u", (unsigned int)status.st_uid,
			      (unsigned int)geteuid());
	if ((status.st_mode & FOREIGN_BITS) != 0)
		return refuse(DOCA_ERROR_NOT_PERMITTED, why, "other users can access the folder (mode %04o)",
			      (unsigned int)(status.st_mode & 07777));
	if (for_server && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
		return refuse_call(errno, why, "create files in the folder");
	return DOCA_SUCCESS;
}

/* Creates a missing folder. All later accesses use the descriptor: a later change of the path has no effect. */
static doca_error_t open_folder(const char *path, uint8_t for_server, int *folder_fd, char *why)
{
	doca_error_t result;
	int fd;

	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return refuse_call(errno, why, "create the folder");
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return refuse(DOCA_ERROR_NOT_PERMITTED, why, "cannot open the folder: it is a link or not a folder");
	if (fd < 0)
		return refuse_call(errno, why, "open the folder");
	result = check_folder(fd, for_server, why);
	if (result == DOCA_SUCCESS)
		*folder_fd = fd;
	else
		close(fd);
	return result;
}

doca_error_t sd_rendezvous_folder(uint8_t for_server, int *folder_fd)
{
	char path[MAX_PATH], why[SD_RENDEZVOUS_REASON];
	doca_error_t result;

	if (find_path(path))
		result = open_folder(path, for_server, folder_fd, why);
	else
		result = refuse(DOCA_ERROR_OPERATING_SYSTEM, why, "the path has more than %d bytes", MAX_PATH - 1);
	if (result != DOCA_SUCCESS)
		SD_LOG_ERROR("rendezvous folder \"%.*s\": %s; set SOFTDPU_DIR to " REMEDY, MAX_LOGGED_PATH, path, why);
	return result;
}

uint8_t sd_rendezvous_check_setting(char *why)
{
	char path[MAX_PATH];
	int fd;

	if (!is_set(getenv("SOFTDPU_DIR")))
		return 1;
	if (!find_path(path))
		refuse(DOCA_ERROR_OPERATING_SYSTEM, why, "the path has more than %d bytes", MAX_PATH - 1);
	else if (open_folder(path, 1, &fd, why) == DOCA_SUCCESS)
		return close(fd) == 0;
	strcat(why, "; name " REMEDY);
	return 0;
}

/* Hashes the string including its NUL, which separates it from the next string. */
static uint64_t hash(uint64_t start, const char *text)
{
	return sd_fnv(start, text, strlen(text) + 1);
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
		 (unsigned long long)hash_all(SD_FNV_START, kind, scope, label),
		 (unsigned int)(hash_all(UINT64_C(0x84222325cbf29ce4), kind, scope, label) >> 32));
}
