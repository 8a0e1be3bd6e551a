/*
 * Internal interface of the command line parser. The root is a command without a name: it holds the parameters and commands of
 * the program.
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
	uint8_t is_given_here;			/**< by the current source: the file or the command line */
	struct doca_argp_param *next;
};

struct doca_argp_cmd {
	char *name, *description;
	doca_argp_cmd_cb_t callback;
	uint8_t is_hidden, is_registered;
	struct doca_argp_cmd *parent;
	struct doca_argp_param *params;		/**< in the order of registration */
	struct doca_argp_cmd *cmds;
	struct doca_argp_cmd *next;
};

struct argp_parser {
	char *program_name;
	void *config;
	struct doca_argp_cmd root;
	struct doca_argp_cmd *current;		/**< the last command given */
	doca_argp_param_cb_t version;
	doca_argp_validation_cb_t validate;
	doca_argp_logger_cb_t logger;
	doca_argp_dpdk_cb_t dpdk;
	doca_argp_dev_open_cb_t open_device;	/**< NULL: doca_dev_open() */
	void *open_context;
	int log_level, sdk_log_level;		/**< 0: not given */
	uint8_t is_started;
	uint8_t ignores_unknown;		/**< unknown flags in files */
};

/** A parameter of every program. */
struct argp_standard {
	const char *short_name, *long_name, *arguments, *description;
	doca_error_t (*take)(struct argp_parser *parser, const char *value);
};

/** Returns the parser of the process, or NULL. */
struct argp_parser *argp_parser(void);
void argp_set_parser(struct argp_parser *parser);

/** Reports to the user; level and text as in doca_log.h. */
void argp_log(enum doca_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define ARGP_ERROR(...) argp_log(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)

/** Replaces a string by a copy of another. */
void argp_set_string(char **place, const char *string);
/** Defines the creation and the destruction of a kind (param or cmd). */
#define ARGP_LIFE(kind, release)                                                            \
	doca_error_t doca_argp_##kind##_create(struct doca_argp_##kind **object)            \
	{                                                                                   \
		if (object == NULL)                                                         \
			return DOCA_ERROR_INVALID_VALUE;                                    \
		if (argp_parser() == NULL)                                                  \
			return DOCA_ERROR_BAD_STATE;                                        \
		*object = calloc(1, sizeof(**object));                                      \
		return *object == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;               \
	}                                                                                   \
	doca_error_t doca_argp_##kind##_destroy(struct doca_argp_##kind *object)            \
	{                                                                                   \
		if (object == NULL)                                                         \
			return DOCA_ERROR_INVALID_VALUE;                                    \
		if (object->is_registered)                                                  \
			return DOCA_ERROR_BAD_STATE;                                        \
		release(object);                                                            \
		return DOCA_SUCCESS;                                                        \
	}
/** @name Setters of a kind; they have no effect on NULL and on a registered object */
/** @{ */
#define ARGP_SET_STRING(kind, member)                                                              \
	void doca_argp_##kind##_set_##member(struct doca_argp_##kind *object, const char *string)  \
	{                                                                                          \
		if (object != NULL && !object->is_registered)                                      \
			argp_set_string(&object->member, string);                                  \
	}
#define ARGP_SET_VALUE(kind, member, type_)                                                        \
	void doca_argp_##kind##_set_##member(struct doca_argp_##kind *object, type_ value)         \
	{                                                                                          \
		if (object != NULL && !object->is_registered)                                      \
			object->member = value;                                                    \
	}
#define ARGP_SET_FLAG(kind, name, member)                                                          \
	void doca_argp_##kind##_set_##name(struct doca_argp_##kind *object)                        \
	{                                                                                          \
		if (object != NULL && !object->is_registered)                                      \
			object->member = 1;                                                        \
	}
/** @} */
/** Returns "--long" or "-s", for messages. */
const char *argp_param_name(const struct doca_argp_param *param, char *room, size_t size);
void argp_param_free(struct doca_argp_param *param);
/** Releases the content of a command, not the command itself. */
void argp_cmd_clear(struct doca_argp_cmd *cmd);

/** Finds a parameter by its name without dashes, in the command or inherited. Returns NULL if there is none. */
struct doca_argp_param *argp_find_param(struct doca_argp_cmd *cmd, const char *name, uint8_t is_long);
const struct argp_standard *argp_find_standard(const char *name, uint8_t is_long);
/** Returns the standard parameters in the order of the usage. The last element has no long name. */
const struct argp_standard *argp_standards(void);

/** Passes a value to the parameter's callback. The text of a flag is NULL, "true" or "false". */
doca_error_t argp_give(struct argp_parser *parser, struct doca_argp_param *param, const char *text);
/** Opens the device that the text names, and changes the text. Reports the reason of NOT_FOUND. */
doca_error_t argp_open_device(char *text, struct doca_argp_device_ctx *device);
doca_error_t argp_open_representor(char *text, struct doca_argp_device_rep_ctx *representor);

/** Reads the parameters of a file. */
doca_error_t argp_read_file(struct argp_parser *parser, const char *path);
/** Reads all arguments after the program's name. */
doca_error_t argp_read_command_line(struct argp_parser *parser, int argc, char **argv);
/** Prints the usage, with these standard parameters. */
void argp_print_usage(const struct argp_parser *parser, const struct argp_standard *standards);

#endif
