/* SOFTDPU_ROLE selects the side of the card that a process sees; an unknown value logs a warning and selects both. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doca_log.h"
#include "objects.h"
#include "sd_memory.h"

static char line[512];
static int num_warnings;

static void count_warning(char *buf)
{
	CHECK(strstr(buf, "SOFTDPU_ROLE") != NULL);
	num_warnings++;
}

static void check_role(const char *role, uint32_t dpu_side, uint32_t host_side, int warnings)
{
	struct doca_log_backend *backend;
	struct doca_devinfo **list;
	uint32_t count, i, dpu = 0;

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), count_warning, &backend));
	if (role == NULL)
		unsetenv("SOFTDPU_ROLE");
	else
		setenv("SOFTDPU_ROLE", role, 1);
	CHECK_OK(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count; i++)
		dpu += sd_devinfo_is_dpu_side(list[i]);
	CHECK_EQ(dpu, dpu_side);
	CHECK_EQ(count - dpu, host_side);
	CHECK_OK(doca_devinfo_destroy_list(list));
	CHECK_EQ(num_warnings, warnings);
}

/* The role is read once, so each role needs a separate process. */
static void check_role_in_child(const char *role, uint32_t dpu_side, uint32_t host_side, int warnings)
{
	pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (child == 0) {
		check_role(role, dpu_side, host_side, warnings);
		exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQ(status, 0);
}

int main(void)
{
	check_role_in_child(NULL, 2, 4, 0);
	check_role_in_child("", 2, 4, 0);
	check_role_in_child("both", 2, 4, 0);
	check_role_in_child("dpu", 2, 0, 0);
	check_role_in_child("host", 0, 4, 0);
	check_role_in_child("DPU", 2, 4, 1);
	check_role_in_child("neither", 2, 4, 1);
	return 0;
}
