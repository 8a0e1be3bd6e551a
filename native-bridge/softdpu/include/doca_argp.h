/*
 * Command lines: a program registers its parameters, doca_argp_start() reads the command line and hands every value to the parameter's
 * callback.
 *
 *     doca_argp_init("program", &config) -> doca_argp_param_create(), doca_argp_param_set_*(), doca_argp_register_param() for each ->
 *     doca_argp_start(argc, argv) -> doca_argp_destroy()
 *
 * A parameter is given as `-s VALUE`, `--long-name VALUE` or `--long-name=VALUE`; short names may have several letters. Besides the
 * program's own there are always
 *
 *     -h, --help                  print the usage, end the program with status 0
 *     -v, --version               print the versions, end the program with status 0; or the program's callback
 *     -l, --log-level LEVEL       the program's log level, a number of enum doca_log_level
 *     --sdk-log-level LEVEL       the libraries'
 *     -j, --json FILE             read parameters from a file; those of the command line come after it
 *
 * The file holds an object with up to two objects in it, both with long names as keys: "doca_general_flags" (log-level, sdk-log-level) and
 * "doca_program_flags". A parameter that may be given several times takes an array. Comments as in C are allowed.
 *
 * Commands stand on the command line without a dash, and what follows one belongs to it: its parameters, the inherited ones of what is
 * above it, and its own commands.
 *
 * There is one parser in a process. Thread: one at a time, for all functions.
 */
#ifndef DOCA_ARGP_H_
#define DOCA_ARGP_H_

#include <stdarg.h>
#include <stdbool.h>

#include "doca_compat.h"
#include "doca_dev.h"
#include "doca_error.h"
#include "doca_log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dev_rep;

/** What a parameter's value is, and what its callback gets a pointer to. */
enum doca_argp_type {
	DOCA_ARGP_TYPE_UNKNOWN = 0,
	DOCA_ARGP_TYPE_STRING,		/**< text: char * */
	DOCA_ARGP_TYPE_INT,		/**< decimal, or hexadecimal with 0x: int * */
	DOCA_ARGP_TYPE_BOOLEAN,		/**< a flag without a value, true; in a file true or false: bool * */
	DOCA_ARGP_TYPE_DEVICE,		/**< since 3.1; `pci/0000:03:00.0`, an RDMA device's or interface's name: struct doca_argp_device_ctx * */
	DOCA_ARGP_TYPE_DEVICE_REP,	/**< since 3.1; `DEVICE,REPRESENTOR`, this by interface or address: struct doca_argp_device_rep_ctx * */
	DOCA_ARGP_TYPE_DOUBLE,		/**< later than 3.1; a number: double * */
	/** Of older releases: a part of a file. Newer ones gave its number to devices; the software DPU hands out no parts of files. */
	DOCA_ARGP_TYPE_JSON_OBJ = DOCA_ARGP_TYPE_DEVICE,
};

/** A device that was given. Opened for the program, which closes it with doca_dev_close(). */
struct doca_argp_device_ctx {
	struct doca_dev *dev;
	const char *devargs;		/**< what followed the device behind a comma, or NULL; only for as long as the callback runs */
};

/** A representor that was given. Both are opened for the program, which closes them. */
struct doca_argp_device_rep_ctx {
	struct doca_argp_device_ctx dev_ctx;
	struct doca_dev_rep *dev_rep;
};

/** A parameter of a program or a command. */
struct doca_argp_param;
/** A command of a program. */
struct doca_argp_cmd;

/** A parameter was given: its value, which is the parser's and only for as long as the call, and the configuration of doca_argp_init(). */
typedef doca_error_t (*doca_argp_param_cb_t)(void *, void *);
/** A command was given; with the configuration. */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *);
/** All was read: whether it fits together; with the configuration. */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *);
/** Open a device that was given; with what was registered with the callback. The program closes it. */
typedef doca_error_t (*doca_argp_dev_open_cb_t)(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev);
/** All was read: what stood before `--` is for DPDK. */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);
/** Something to tell to the user. */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format, va_list args);

/** @name The parser
 * BAD_STATE: no parser; INVALID_VALUE: a NULL pointer.
 */
/** @{ */
/** The name is for the usage and may be NULL; the configuration is what callbacks get. BAD_STATE: there is a parser; NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_init(const char *program_name, void *program_config);
/** Read the command line, once. An error that a callback answers, and:
 *  INVALID_VALUE: a value that is none, is missing or too many, a mandatory parameter is missing; NOT_SUPPORTED: an unknown parameter or
 *  command; IO_FAILED: the file cannot be read or is no JSON; NOT_FOUND: no such device; NO_MEMORY. The reason is told. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_start(int argc, char **argv);
/** Release the parser with all its parameters and commands. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_destroy(void);
/** Print the usage. */
DOCA_EXPERIMENTAL
void doca_argp_usage(void);
/** Levels in force: what was given, else the defaults of doca_log.h. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_log_level(int *log_level);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_sdk_log_level(int *log_level);
/** Called, with NULL and the configuration, instead of printing the versions; the program goes on when it answers SUCCESS. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);
/** Called instead of doca_dev_open() for each device that is given, also for that of a representor. usr_ctx goes to the callback and may
 *  be NULL. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx);
/** A file may have flags of the program that it does not know; without this doca_argp_start() answers NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_pedantic_config_parsing(void);
/** Where messages go instead of stderr. ALREADY_EXIST: one is registered. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);
/** Messages go to stderr again. BAD_STATE: also when none is registered. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_logger_callback(void);
/** The program uses DPDK: what stands before `--` is collected for the callback, without `--` everything. */
DOCA_EXPERIMENTAL
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);
/** @} */

/** @name Parameters
 * A parameter has a short or a long name, a description, a type and a callback. Setters copy their strings; they do nothing to NULL or
 * to a registered parameter.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_create(struct doca_argp_param **param);
/** Of one that was not registered, else BAD_STATE. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);
DOCA_EXPERIMENTAL
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);
DOCA_EXPERIMENTAL
void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);
/** How the usage calls the value, as "<path>". */
DOCA_EXPERIMENTAL
void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments);
DOCA_EXPERIMENTAL
void doca_argp_param_set_description(struct doca_argp_param *param, const char *description);
DOCA_EXPERIMENTAL
void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback);
DOCA_EXPERIMENTAL
void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type);
/** Has to be given. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_mandatory(struct doca_argp_param *param);
/** May be given more than once. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);
/** Not in a file. So are parameters without a long name. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_cli_only(struct doca_argp_param *param);
/** Not in the usage. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_hidden(struct doca_argp_param *param);
/** Belongs to the commands below as well. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_inherited(struct doca_argp_param *param);
/** Is given without others, and then mandatory ones may be missing. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_singular(struct doca_argp_param *param);
/** The parser owns the parameter from now on, also when this fails. BAD_STATE: no parser, started, or registered before (then nothing
 *  changes); INITIALIZATION: something that a parameter has is missing; INVALID_VALUE: also a name that is taken. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);
/** @} */

/** @name Commands
 * A command has a name, a description and a callback. Rules as for parameters.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);
/** Of one that was not registered, else BAD_STATE; with all that was registered to it. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description);
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback);
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd, struct doca_argp_param *input_param);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *input_cmd);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
