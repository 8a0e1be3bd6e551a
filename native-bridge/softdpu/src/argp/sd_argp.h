/*
 * The parser of command lines, inside. The program itself is a command without a name: its parameters and commands are the root's.
 */
#ifndef SD_ARGP_H
#define SD_ARGP_H

#include <stdint.h>

#include "doca_argp.h"

struct doca_argp_param {
	char *short_name, *long_name, *arguments, *description;
	doca_argp_param_cb_t callback;
	enum doca_argp_type type;
	uint8_t is_mandatory, is_multiple, is_cli_only, is_hidden, is_inherited, is_singular, is_registered;
	uint8_t is_given;
	uint8_t is_given_here;			/**< by the source that is read now: the file or the command line */
	struct doca_argp_param *next;
};

struct doca_argp_cmd {
	char *name, *description;
	doca_argp_cmd_cb_t callback;
	uint8_t is_hidden, is_registered;
	struct doca_argp_cmd *parent;
	struct doca_argp_param *params;		/**< as they were registered */
	struct doca_argp_cmd *cmds;
	struct doca_argp_cmd *next;
};

struct argp_parser {
	char *program_name;
	void *config;
	struct doca_argp_cmd root;
	struct doca_argp_cmd *current;		/**< the command that was given last */
	doca_argp_param_cb_t version;
	doca_argp_validation_cb_t validate;
	doca_argp_logger_cb_t logger;
	doca_argp_dpdk_cb_t dpdk;
	doca_argp_dev_open_cb_t open_device;	/**< NULL: doca_dev_open() */
	void *open_context;
	int log_level, sdk_log_level;		/**< 0: not given */
	uint8_t is_started;
	uint8_t ignores_unknown;		/**< flags in files */
};

/** A parameter that every program has. */
struct argp_standard {
	const char *short_name, *long_name, *arguments, *description;
	doca_error_t (*take)(struct argp_parser *parser, const char *value);
};

/** The parser of the process, or NULL. */
struct argp_parser *argp_parser(void);

/** Tell the user; level and text as in doca_log.h. */
void argp_say(enum doca_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define ARGP_ERROR(...) argp_say(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)

/** Copy a string over another. */
void argp_set_string(char **place, const char *string);
/** "--long" or "-s", for messages. */
const char *argp_param_name(const struct doca_argp_param *param, char *room, size_t size);
void argp_param_free(struct doca_argp_param *param);
/** Everything below the command, not itself. */
void argp_cmd_clear(struct doca_argp_cmd *cmd);

/** By name without dashes, in the command itself and what it inherits; NULL. */
struct doca_argp_param *argp_find_param(struct doca_argp_cmd *cmd, const char *name, uint8_t is_long);
const struct argp_standard *argp_find_standard(const char *name, uint8_t is_long);
/** In the order of the usage; ends with one without a long name. */
const struct argp_standard *argp_standards(void);

/** Hand a value to the parameter's callback. A flag's text is NULL or "true" or "false". */
doca_error_t argp_give(struct argp_parser *parser, struct doca_argp_param *param, const char *text);
/** Open what the text names; NOT_FOUND, with the reason told. The text is changed. */
doca_error_t argp_open_device(char *text, struct doca_argp_device_ctx *device);
doca_error_t argp_open_representor(char *text, struct doca_argp_device_rep_ctx *representor);

/** Read the file's parameters. */
doca_error_t argp_read_file(struct argp_parser *parser, const char *path);
/** Read all arguments but the program's name. */
doca_error_t argp_read_command_line(struct argp_parser *parser, int argc, char **argv);
void argp_print_usage(const struct argp_parser *parser);

#endif
