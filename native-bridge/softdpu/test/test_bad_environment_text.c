/* softdpu_get_problem() names the first invalid variable. The library logs invalid variables unless a program asks first. */
#include <sys/wait.h>
#include <unistd.h>

#include "doca_log.h"
#include "rig.h"

struct invalid {
	const char *name, *value, *problem;
};

static const struct invalid cases[] = {
	{ "SOFTDPU_THREADS", "abc", "SOFTDPU_THREADS is \"abc\": it must be a number from 1 to 64" },
	{ "SOFTDPU_SEED", "-1", "SOFTDPU_SEED is \"-1\": it must be a number from 0 to 18446744073709551615" },
	{ "SOFTDPU_MAX_CLIENTS", "0", "SOFTDPU_MAX_CLIENTS is \"0\": it must be a number from 1 to 65536" },
	{ "SOFTDPU_NULL", "ye\ns", "SOFTDPU_NULL is \"ye s\": it must be a number from 0 to 1" },
	{ "SOFTDPU_EXECUTION", "fast", "SOFTDPU_EXECUTION is \"fast\": it must be threads or inline" },
	{ "SOFTDPU_PROFILE", "bluefield9", "SOFTDPU_PROFILE is \"bluefield9\": it must be full, bluefield2 or bluefield3" },
	{ "SOFTDPU_ROLE", "Host", "SOFTDPU_ROLE is \"Host\": it must be host, dpu or both" },
	{ "SOFTDPU_QUIRKS", "Q1,Q0",
	  "SOFTDPU_QUIRKS is \"Q1,Q0\": \"Q0\" is no quirk: Q1 to Q5, Q9 to Q11, Q14, Q22 and no-direct-copy are" },
	{ "SOFTDPU_FAULTS", "*:lost;*:explode",
	  "SOFTDPU_FAULTS is \"*:lost;*:explode\": rule 2 \"*:explode\" is not <task type>:<action>[=<argument>][:<selector>]..." },
	{ "SOFTDPU_FAULTS", "dma:fail", "SOFTDPU_FAULTS is \"dma:fail\": rule 1 \"dma:fail\" has an unknown task type" },
};

static char line[4096];
static char first_line[sizeof(line)];
static int lines;

static void on_line(char *text)
{
	if (lines++ == 0)
		strcpy(first_line, text);
}

static void catch_log(void)
{
	struct doca_log_backend *backend;

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), on_line, &backend));
}

static void check_start_refused(void)
{
	struct rig rig;

	rig_open(&rig, 1);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_INITIALIZATION);
	CHECK_OK(doca_compress_destroy(rig.compress));
	rig_close_rest(&rig);
}

static void asks_first(const struct invalid *invalid)
{
	CHECK(strcmp(softdpu_get_problem(), invalid->problem) == 0);
	softdpu_get_threads();
	softdpu_get_profile();
	CHECK_EQ(lines, 0);
	check_start_refused();
	CHECK(strstr(first_line, invalid->problem) != NULL);
}

static void asks_last(const struct invalid *invalid)
{
	softdpu_get_threads();
	CHECK_EQ(lines, 1);
	CHECK(strstr(first_line, invalid->problem) != NULL);
	check_start_refused();
	CHECK(strcmp(softdpu_get_problem(), invalid->problem) == 0);
	softdpu_faults_clear();
	CHECK((softdpu_get_problem() == NULL) == (strcmp(invalid->name, "SOFTDPU_FAULTS") == 0));
}

/* The first variable in the order of softdpu.h counts, and a long value is cut. */
static void has_two(const struct invalid *invalid)
{
	char long_value[1000];

	(void)invalid;
	memset(long_value, 'x', sizeof(long_value));
	long_value[sizeof(long_value) - 1] = '\0';
	CHECK_EQ(setenv("SOFTDPU_QUIRKS", long_value, 1), 0);
	CHECK_EQ(setenv("SOFTDPU_TIMING", long_value, 1), 0);
	CHECK(strncmp(softdpu_get_problem(), "SOFTDPU_TIMING is \"xxx", 22) == 0);
	CHECK(strstr(softdpu_get_problem(), "x\": it must be a number from 0 to 1") != NULL);
}

/* Programs that meet no other process need no rendezvous folder: only the question checks SOFTDPU_DIR. */
static void has_no_folder(const struct invalid *invalid)
{
	struct rig rig;

	(void)invalid;
	CHECK_EQ(setenv("SOFTDPU_DIR", "/proc/none/folder", 1), 0);
	rig_open(&rig, 1);
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_close(&rig);
	CHECK(strcmp(softdpu_get_problem(), "SOFTDPU_DIR is \"/proc/none/folder\": cannot create the folder: No such file or directory; "
					    "name a folder of mode 0700 that belongs to you") == 0);
	CHECK_EQ(lines, 0);
}

static void has_none(const struct invalid *invalid)
{
	(void)invalid;
	CHECK(softdpu_get_problem() == NULL);
}

/* Runs in a separate process, because the library reads the environment once. */
static void run(void (*test)(const struct invalid *), const struct invalid *invalid)
{
	pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (child == 0) {
		if (invalid != NULL)
			CHECK_EQ(setenv(invalid->name, invalid->value, 1), 0);
		catch_log();
		test(invalid);
		exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run(asks_first, &cases[i]);
		run(asks_last, &cases[i]);
	}
	run(has_two, NULL);
	run(has_no_folder, NULL);
	run(has_none, NULL);
	return 0;
}
