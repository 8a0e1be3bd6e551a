/* The standard flags: help and version end the program, levels are set. Devices are found by the names that users give. */
#include <sys/wait.h>
#include <unistd.h>

#include "argp.h"
#include "doca_dev.h"

static char output[8192];

/* Captures the output of a program with these arguments, which exits with status 0. */
static void run(char **argv)
{
	int pipes[2], status;
	size_t len = 0;
	ssize_t part;
	pid_t child;

	CHECK(pipe(pipes) == 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		(void)start_with(argv);
		_exit(7); /* no flag ended the program */
	}
	close(pipes[1]);
	while ((part = read(pipes[0], output + len, sizeof(output) - 1 - len)) > 0)
		len += (size_t)part;
	output[len] = '\0';
	close(pipes[0]);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static doca_error_t take_command(void *context)
{
	CHECK(context == &config);
	return DOCA_SUCCESS;
}

static void help(void)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;

	begin();
	param = new_param("p", "path", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_arguments(param, "<where>");
	CHECK_OK(doca_argp_register_param(param));
	param = new_param(NULL, "secret", DOCA_ARGP_TYPE_BOOLEAN);
	doca_argp_param_set_hidden(param);
	CHECK_OK(doca_argp_register_param(param));
	CHECK_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, "go");
	doca_argp_cmd_set_description(cmd, "what it does");
	doca_argp_cmd_set_callback(cmd, take_command);
	CHECK_OK(doca_argp_cmd_register_param(cmd, new_param("f", "far", DOCA_ARGP_TYPE_INT)));
	CHECK_OK(doca_argp_register_cmd(cmd));
	run((char *[]){ "prog", "--help", NULL });
	CHECK(strncmp(output, "Usage: prog ", 12) == 0);
	CHECK(strstr(output, "-p, --path <where>") != NULL && strstr(output, "something") != NULL);
	CHECK(strstr(output, "--sdk-log-level") != NULL && strstr(output, "-j, --json") != NULL);
	CHECK(strstr(output, "go") != NULL && strstr(output, "what it does") != NULL);
	CHECK(strstr(output, "secret") == NULL && strstr(output, "--far") == NULL);
	run((char *[]){ "prog", "go", "-h", NULL });
	CHECK(strstr(output, "-f, --far") != NULL && strstr(output, "--path") == NULL);
	run((char *[]){ "prog", "-v", NULL });
	CHECK(strstr(output, "3.0") != NULL);
	CHECK_ERROR(START("--help=yes"), DOCA_ERROR_INVALID_VALUE);
	end();
}

static doca_error_t take_version(void *value, void *context)
{
	CHECK(value == NULL && context == &config);
	return note("version;");
}

static void version(void)
{
	begin();
	CHECK_OK(doca_argp_register_param(new_param("n", "number", DOCA_ARGP_TYPE_INT)));
	CHECK_OK(doca_argp_register_version_callback(take_version));
	CHECK_OK(START("--version", "-n", "1"));
	CHECK(strcmp(seen, "version;1;") == 0);
	end();
}

static void levels(void)
{
	int level;

	begin();
	CHECK_OK(doca_argp_get_log_level(&level));
	CHECK_EQ(level, DOCA_LOG_LEVEL_INFO);
	CHECK_OK(doca_argp_get_sdk_log_level(&level));
	CHECK_EQ(level, DOCA_LOG_LEVEL_WARNING);
	CHECK_OK(START("-l", "60", "--sdk-log-level=30"));
	CHECK_OK(doca_argp_get_log_level(&level));
	CHECK_EQ(level, DOCA_LOG_LEVEL_DEBUG);
	CHECK_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_DEBUG);
	CHECK_OK(doca_argp_get_sdk_log_level(&level));
	CHECK_EQ(level, DOCA_LOG_LEVEL_ERROR);
	CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_ERROR);
	end();
	begin();
	CHECK_ERROR(START("-l", "55"), DOCA_ERROR_INVALID_VALUE);
	end();
	begin();
	CHECK_ERROR(START("--sdk-log-level", "high"), DOCA_ERROR_INVALID_VALUE);
	end();
}

static doca_error_t take_device(void *value, void *context)
{
	struct doca_argp_device_ctx *device = value;
	char address[DOCA_DEVINFO_PCI_ADDR_SIZE];

	CHECK(context == &config);
	CHECK_OK(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(device->dev), address));
	note("%s %s;", address, device->devargs == NULL ? "-" : device->devargs);
	return doca_dev_close(device->dev);
}

static doca_error_t take_representor(void *value, void *context)
{
	struct doca_argp_device_rep_ctx *rep = value;
	char address[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];

	CHECK(context == &config);
	CHECK_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep->dev_rep), address));
	note("%s %s;", address, rep->dev_ctx.devargs == NULL ? "-" : rep->dev_ctx.devargs);
	CHECK_OK(doca_dev_rep_close(rep->dev_rep));
	return doca_dev_close(rep->dev_ctx.dev);
}

static void device_flags(void)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("d", "device", DOCA_ARGP_TYPE_DEVICE);
	doca_argp_param_set_callback(param, take_device);
	doca_argp_param_set_multiplicity(param);
	CHECK_OK(doca_argp_register_param(param));
	param = new_param("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	doca_argp_param_set_callback(param, take_representor);
	doca_argp_param_set_multiplicity(param);
	CHECK_OK(doca_argp_register_param(param));
}

static void devices(void)
{
	static char *const unknown[] = { "pci/0000:ff:00.0", "nowhere", "" };

	device_flags();
	CHECK_OK(START("-d", "pci/0000:03:00.1", "-d", "81:00.0", "-d", "mlx5_1", "-d", "p0,a=1,b"));
	CHECK(strcmp(seen, "0000:03:00.1 -;0000:81:00.0 -;0000:03:00.1 -;0000:03:00.0 a=1,b;") == 0);
	end();
	device_flags();
	CHECK_OK(START("-r", "pci/03:00.0,pf0vf0", "-r", "mlx5_0,pci/0000:81:00.0,x=y"));
	CHECK(strcmp(seen, "0000:81:00.2 -;0000:81:00.0 x=y;") == 0);
	end();
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		device_flags();
		CHECK_ERROR(START("-d", unknown[i]), DOCA_ERROR_NOT_FOUND);
		CHECK(logged[0] != '\0');
		end();
	}
	device_flags();
	CHECK_ERROR(START("-r", "03:00.0,pf7vf7"), DOCA_ERROR_NOT_FOUND);
	end();
	device_flags();
	CHECK_ERROR(START("-r", "03:00.0"), DOCA_ERROR_INVALID_VALUE);
	end();
}

static int num_opened;

static doca_error_t open_counted(struct doca_devinfo *info, void *context, struct doca_dev **dev)
{
	CHECK(context == &num_opened);
	num_opened++;
	return doca_dev_open(info, dev);
}

static doca_error_t open_none(struct doca_devinfo *info, void *context, struct doca_dev **dev)
{
	(void)info;
	(void)context;
	(void)dev;
	return DOCA_ERROR_DRIVER;
}

/* Programs may open the devices. */
static void opened_by_the_program(void)
{
	CHECK_ERROR(doca_argp_register_dev_open_callback(open_counted, NULL), DOCA_ERROR_BAD_STATE);
	device_flags();
	CHECK_ERROR(doca_argp_register_dev_open_callback(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_argp_register_dev_open_callback(open_counted, &num_opened));
	CHECK_OK(START("-d", "81:00.0", "-r", "pci/03:00.0,pf0vf0"));
	CHECK(strcmp(seen, "0000:81:00.0 -;0000:81:00.2 -;") == 0);
	CHECK_EQ(num_opened, 2);
	end();
	device_flags();
	CHECK_OK(doca_argp_register_dev_open_callback(open_none, NULL));
	CHECK_ERROR(START("-d", "81:00.0"), DOCA_ERROR_DRIVER);
	CHECK(logged[0] != '\0' && seen[0] == '\0');
	end();
}

int main(void)
{
	help();
	version();
	levels();
	devices();
	opened_by_the_program();
	return 0;
}
