/* The rendezvous folder is created for the user only; a folder that other users could have created or can access is refused. */
#include "doca_log.h"
#include "rendezvous.h"
#include "sd_rendezvous.h"

static char line[4096], last_line[sizeof(line)];
static int num_lines;

static void on_line(char *text)
{
	strcpy(last_line, text);
	num_lines++;
}

static doca_error_t open_folder(const char *path)
{
	doca_error_t result;
	int fd;

	CHECK(setenv("SOFTDPU_DIR", path, 1) == 0);
	num_lines = 0;
	result = sd_rendezvous_folder(1, &fd);
	CHECK_EQ(num_lines, result != DOCA_SUCCESS);
	if (result == DOCA_SUCCESS)
		close(fd);
	return result;
}

/* Checks the only log line: path, failed operation, cause and remedy. sd_rendezvous_check_setting() has the same reason. */
static void refuses(const char *path, doca_error_t expected, const char *reason)
{
	char why[SD_RENDEZVOUS_REASON], text[512];

	CHECK_ERROR(open_folder(path), expected);
	snprintf(text, sizeof(text), "rendezvous folder \"%s\": %s; set SOFTDPU_DIR to a folder of mode 0700 that belongs to you",
		 path, reason);
	CHECK(strstr(last_line, text) != NULL);
	CHECK_EQ(sd_rendezvous_check_setting(why), 0);
	snprintf(text, sizeof(text), "%s; name a folder of mode 0700 that belongs to you", reason);
	CHECK(strcmp(why, text) == 0);
	CHECK_EQ(num_lines, 1);
}

/* A client needs no write access. The superuser may write anywhere, so this part runs as another user. */
static void is_not_writable(const char *path)
{
	int fd;

	CHECK(chmod(path, 0500) == 0);
	if (geteuid() == 0) {
		CHECK(chmod(own_folder, 0711) == 0 && chown(path, 12345, 12345) == 0);
		CHECK(seteuid(12345) == 0);
	}
	refuses(path, DOCA_ERROR_NOT_PERMITTED, "cannot create files in the folder: Permission denied");
	CHECK_OK(sd_rendezvous_folder(0, &fd));
	close(fd);
	if (getuid() == 0)
		CHECK(seteuid(0) == 0 && chown(path, 0, 0) == 0 && chmod(own_folder, 0700) == 0);
	CHECK(chmod(path, 0700) == 0);
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	CHECK(stat(path, &status) == 0);
	return status.st_mode & 07777;
}

int main(void)
{
	static char too_long[5000];
	struct doca_log_backend *backend;
	char path[SD_RENDEZVOUS_REASON], target[128], deep[128];
	int fd;

	make_own_folder();
	snprintf(target, sizeof(target), "%s/target", own_folder);
	snprintf(path, sizeof(path), "%s/link", own_folder);
	snprintf(deep, sizeof(deep), "%s/no/such/folder", own_folder);

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), on_line, &backend));
	CHECK_OK(open_folder(target)); /* created */
	CHECK_EQ(mode_of(target), 0700);
	CHECK_OK(open_folder(target));
	CHECK(sd_rendezvous_check_setting(path)); /* writes no reason */
	is_not_writable(target);
	CHECK(chmod(target, 0750) == 0);
	refuses(target, DOCA_ERROR_NOT_PERMITTED, "other users can access the folder (mode 0750)");
	CHECK(chmod(target, 0700) == 0);
	CHECK(symlink(target, path) == 0);
	refuses(path, DOCA_ERROR_NOT_PERMITTED, "cannot open the folder: it is a link or not a folder");
	refuses(deep, DOCA_ERROR_OPERATING_SYSTEM, "cannot create the folder: No such file or directory");
	CHECK(unlink(path) == 0);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	refuses(path, DOCA_ERROR_NOT_PERMITTED, "cannot open the folder: it is a link or not a folder");
	CHECK(unlink(path) == 0);
	memset(too_long, 'x', sizeof(too_long) - 1);
	CHECK_ERROR(open_folder(too_long), DOCA_ERROR_OPERATING_SYSTEM);
	CHECK(strstr(last_line, "the path has more than 4095 bytes; set SOFTDPU_DIR") != NULL);
	if (geteuid() == 0) {
		CHECK(chown(target, 12345, 12345) == 0);
		refuses(target, DOCA_ERROR_NOT_PERMITTED, "the folder belongs to user 12345, not to 0");
	}
	CHECK(rmdir(target) == 0);

	CHECK(unsetenv("SOFTDPU_DIR") == 0); /* the second choice */
	CHECK(setenv("XDG_RUNTIME_DIR", own_folder, 1) == 0);
	snprintf(path, sizeof(path), "%s/softdpu", own_folder);
	CHECK(sd_rendezvous_check_setting(deep)); /* SOFTDPU_DIR is not set */
	CHECK_OK(sd_rendezvous_folder(1, &fd));
	close(fd);
	CHECK_EQ(mode_of(path), 0700);
	CHECK(rmdir(path) == 0);
	remove_own_folder();
	return 0;
}
