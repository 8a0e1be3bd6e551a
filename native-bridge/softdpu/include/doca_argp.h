/*
 * Command lines: a program registers its parameters; doca_argp_start() reads the command line and passes each value to the
 * callback of its parameter.
 *
 *     doca_argp_init("program", &config)
 *       -> doca_argp_param_create(), doca_argp_param_set_*(), doca_argp_register_param() for each parameter
 *       -> doca_argp_start(argc, argv) -> doca_argp_destroy()
 *
 * A parameter is written as `-s VALUE`, `--long-name VALUE` or `--long-name=VALUE`; short names may have several letters. Every
 * program also has these parameters:
 *
 *     -h, --help                  print the usage, end the program with status 0
 *     -v, --version               print the versions, end the program with status 0; or call the program's callback
 *     -l, --log-level LEVEL       the log level of the program, a number of enum doca_log_level
 *     --sdk-log-level LEVEL       the log level of the libraries
 *     -j, --json FILE             read parameters from a file; parameters of the command line are applied after it
 *
 * The file holds an object with up to two members: "doca_general_flags" (log-level, sdk-log-level) and "doca_program_flags".
 * Both are objects whose keys are long names. A parameter that may be repeated takes an array. C comments are allowed.
 *
 * Commands are written without a dash. The words after a command belong to it: its parameters, the inherited parameters of its
 * parents, and its subcommands.
 *
 * A process has one parser. Thread: one at a time, for all functions.
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

/** Type of a parameter's value. The text after each constant names the type of the pointer that the callback receives. */
enum doca_argp_type {
	DOCA_ARGP_TYPE_UNKNOWN = 0,
	DOCA_ARGP_TYPE_STRING,		/**< text: char * */
	DOCA_ARGP_TYPE_INT,		/**< decimal, or hexadecimal with 0x: int * */
	DOCA_ARGP_TYPE_BOOLEAN,		/**< a flag without a value is true; true or false in a file: bool * */
	DOCA_ARGP_TYPE_DEVICE,		/**< since 3.1; `pci/0000:03:00.0`, RDMA device, netdev: struct doca_argp_device_ctx * */
	DOCA_ARGP_TYPE_DEVICE_REP,	/**< since 3.1; `DEVICE,REP` (REP: netdev, address): struct doca_argp_device_rep_ctx * */
	DOCA_ARGP_TYPE_DOUBLE,		/**< later than 3.1; a number: double * */
	/**
	 * A part of a file, in releases before 3.1. Later releases use its number for devices; the software DPU does not
	 * support parts of files.
	 */
	DOCA_ARGP_TYPE_JSON_OBJ = DOCA_ARGP_TYPE_DEVICE,
};

/** A device of the command line. The parser opens it; the program closes it with doca_dev_close(). */
struct doca_argp_device_ctx {
	struct doca_dev *dev;
	const char *devargs;		/**< text after the device and a comma, or NULL; valid until the callback returns */
};

/** A device and a representor of the command line. The parser opens both; the program closes both. */
struct doca_argp_device_rep_ctx {
	struct doca_argp_device_ctx dev_ctx;
	struct doca_dev_rep *dev_rep;
};

/** A parameter of a program or a command. */
struct doca_argp_param;
/** A command of a program. */
struct doca_argp_cmd;

/**
 * Receives the value of a parameter and the configuration of doca_argp_init(). The parser owns the value, which is valid until
 * the callback returns.
 */
typedef doca_error_t (*doca_argp_param_cb_t)(void *, void *);
/** Called when the command line contains the command; receives the configuration. */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *);
/** Checks the configuration after all parameters were read; receives the configuration. */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *);
/**
 * Opens a device of the command line; usr_ctx is the value that was registered with the callback. The program closes the
 * device.
 */
typedef doca_error_t (*doca_argp_dev_open_cb_t)(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev);
/** Receives the arguments before `--`, which are for DPDK, after all parameters were read. */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);
/** Receives a message for the user. */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format, va_list args);

/**
 * @name The parser
 * BAD_STATE: no parser exists; INVALID_VALUE: a NULL pointer.
 */
/** @{ */
/**
 * Creates the parser. The usage shows the name, which may be NULL; callbacks receive the configuration. BAD_STATE: a parser
 * exists; NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_init(const char *program_name, void *program_config);
/**
 * Reads the command line, once. Returns the error of a callback, or:
 *  INVALID_VALUE: a wrong, missing or superfluous value, or a missing mandatory parameter;
 *  NOT_SUPPORTED: an unknown parameter or command; IO_FAILED: the file cannot be read or is not JSON;
 *  NOT_FOUND: no such device; NO_MEMORY. A message reports the reason.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_start(int argc, char **argv);
/** Destroys the parser with all its parameters and commands. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_destroy(void);
/** Prints the usage. */
DOCA_EXPERIMENTAL
void doca_argp_usage(void);
/** Returns the current log level: the level of the command line or file, else the default of doca_log.h. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_log_level(int *log_level);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_sdk_log_level(int *log_level);
/**
 * Registers a callback that replaces the output of the versions. The callback receives NULL and the configuration; if it
 * returns SUCCESS, the program continues.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);
/**
 * Registers a callback that replaces doca_dev_open() for each device, also for the device of a representor. The callback
 * receives usr_ctx, which may be NULL.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx);
/** Allows unknown program flags in a file. By default, doca_argp_start() returns NOT_SUPPORTED for them. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_pedantic_config_parsing(void);
/** Registers a callback that receives messages instead of stderr. ALREADY_EXIST: a callback is registered. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);
/** Sends messages to stderr again. BAD_STATE: also if no callback is registered. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_logger_callback(void);
/**
 * Declares that the program uses DPDK. The callback receives the arguments before `--`, or all arguments if there is no `--`.
 */
DOCA_EXPERIMENTAL
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);
/** @} */

/**
 * @name Parameters
 * A parameter has a short or a long name, a description, a type and a callback. Setters copy their strings; they ignore NULL
 * and registered parameters.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_create(struct doca_argp_param **param);
/** Destroys a parameter. BAD_STATE: the parameter is registered. */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);
DOCA_EXPERIMENTAL
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);
DOCA_EXPERIMENTAL
void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);
/** Sets the name of the value in the usage, for example "<path>". */
DOCA_EXPERIMENTAL
void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments);
DOCA_EXPERIMENTAL
void doca_argp_param_set_description(struct doca_argp_param *param, const char *description);
DOCA_EXPERIMENTAL
void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback);
DOCA_EXPERIMENTAL
void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type);
/** Makes the parameter mandatory. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_mandatory(struct doca_argp_param *param);
/** Allows the parameter more than once. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);
/** Excludes the parameter from files. Parameters without a long name are always excluded. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_cli_only(struct doca_argp_param *param);
/** Hides the parameter in the usage. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_hidden(struct doca_argp_param *param);
/** Makes the parameter valid for the subcommands as well. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_inherited(struct doca_argp_param *param);
/** Makes the parameter exclude all others; mandatory parameters may then be missing. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_singular(struct doca_argp_param *param);
/**
 * Registers a parameter. The parser owns it from now on, also on failure. BAD_STATE: no parser, started, or parameter already
 * registered (then nothing changes); INITIALIZATION: the parameter is incomplete; INVALID_VALUE: also a name that is in use.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);
/** @} */

/**
 * @name Commands
 * A command has a name, a description and a callback. The rules for parameters apply.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);
/** Destroys a command with its parameters and subcommands. BAD_STATE: the command is registered. */
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
