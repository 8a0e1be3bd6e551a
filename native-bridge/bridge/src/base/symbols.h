/* Functions of doca_common, resolved at run time. */
#ifndef BRIDGE_SYMBOLS_H
#define BRIDGE_SYMBOLS_H

#include <stdbool.h>

#include "base/doca_abi.h"

/** Functions that the bridge calls; all are set, or none. */
struct doca_common {
	const char *(*error_get_name)(int error);
	uint8_t (*pe_progress)(struct doca_pe *pe);
	int (*pe_request_notification)(struct doca_pe *pe);
	int (*pe_clear_notification)(struct doca_pe *pe, int handle);
	int (*pe_get_notification_handle)(const struct doca_pe *pe, int *handle);
	int (*ctx_set_user_data)(struct doca_ctx *ctx, union doca_data user_data);
	int (*ctx_set_state_changed_cb)(struct doca_ctx *ctx, doca_state_cb cb);
	int (*ctx_get_state)(const struct doca_ctx *ctx, int *state);
	int (*task_submit)(struct doca_task *task);
	void (*task_free)(struct doca_task *task);
	int (*task_get_status)(const struct doca_task *task);
	int (*buf_set_data)(struct doca_buf *buf, void *data, size_t data_len);
	int (*buf_reset_data_len)(struct doca_buf *buf);
	int (*buf_get_data_len)(const struct doca_buf *buf, size_t *data_len);
};

extern struct doca_common bridge_doca __attribute__((visibility("hidden")));

/** A function's name and the place of its pointer in a struct of function pointers. */
struct bridge_symbol {
	const char *name;
	size_t offset;
};

/** Finds symbol->name (after prefix, "" for none) in a dlopen handle and stores it in slots. Returns false if it is missing. */
bool bridge_symbol_resolve(void *library, const char *prefix, const struct bridge_symbol *symbol, void *slots);

/** Finds all functions of doca_common. Returns the name of the first one that the library lacks, NULL if it has all. */
const char *bridge_symbols_find(void *library, struct doca_common *found);

/** Sets the reason why the current call fails: the operation and the name of the status. Returns the status. */
int32_t bridge_fail(int32_t status, const char *operation);

#endif
