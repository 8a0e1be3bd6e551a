/* The rendezvous folder is created for the user only; a folder that other users could have created or can access is refused. */
#include "rendezvous.h"
#include "sd_rendezvous.h"

static doca_error_t open_folder(const char *path)
{
	doca_error_t result;
	int fd;

	CHECK(setenv("SOFTDPU_DIR", path, 1) == 0);
	result = sd_rendezvous_folder(&fd);
	if (result == DOCA_SUCCESS)
		close(fd);
	return result;
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	CHECK(stat(path, &status) == 0);
	return status.st_mode & 07777;
}

int main(void)
{
	char path[128], target[128], deep[128];

	make_own_folder();
	snprintf(target, sizeof(target), "%s/target", own_folder);
	snprintf(path, sizeof(path), "%s/link", own_folder);
	snprintf(deep, sizeof(deep), "%s/no/such/folder", own_folder);

	CHECK_OK(open_folder(target)); /* created */
	CHECK_EQ(mode_of(target), 0700);
	CHECK_OK(open_folder(target));
	CHECK(chmod(target, 0750) == 0);
	CHECK_ERROR(open_folder(target), DOCA_ERROR_NOT_PERMITTED);
	CHECK(chmod(target, 0700) == 0);
	CHECK(symlink(target, path) == 0);
	CHECK_ERROR(open_folder(path), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(open_folder(deep), DOCA_ERROR_OPERATING_SYSTEM);
	CHECK(unlink(path) == 0);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	CHECK_ERROR(open_folder(path), DOCA_ERROR_NOT_PERMITTED);
	CHECK(unlink(path) == 0);
	if (geteuid() == 0) {
		CHECK(chown(target, 12345, 12345) == 0);
		CHECK_ERROR(open_folder(target), DOCA_ERROR_NOT_PERMITTED);
	}
	CHECK(rmdir(target) == 0);

	CHECK(unsetenv("SOFTDPU_DIR") == 0); /* the second choice */
	CHECK(setenv("XDG_RUNTIME_DIR", own_folder, 1) == 0);
	snprintf(path, sizeof(path), "%s/softdpu", own_folder);
	CHECK(sd_rendezvous_folder(&(int){ 0 }) == DOCA_SUCCESS);
	CHECK_EQ(mode_of(path), 0700);
	CHECK(rmdir(path) == 0);
	remove_own_folder();
	return 0;
}
