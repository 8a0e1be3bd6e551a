/* Execution of one task on one thread. */
#include <stdlib.h>

#include "sd_base.h"
#include "sd_config.h"
#include "sd_device.h"
#include "sd_fault.h"

const struct sd_device_client *sd_device_client;

/** State of one library on a worker. */
struct sd_unit {
	const struct sd_unit_type *type;
	void *state;
	struct sd_unit *next;
};

/* Returns the library's state on this worker, created at the first use; NULL: out of memory. */
static void *find_unit(struct sd_worker *worker, const struct sd_unit_type *type)
{
	struct sd_unit *unit;

	for (unit = worker->units; unit != NULL; unit = unit->next) {
		if (unit->type == type)
			return unit->state;
	}
	unit = malloc(sizeof(*unit));
	if (unit == NULL)
		return NULL;
	unit->type = type;
	unit->state = type->create();
	if (unit->state == NULL) {
		free(unit);
		return NULL;
	}
	unit->next = worker->units;
	worker->units = unit;
	return unit->state;
}

void sd_worker_close(struct sd_worker *worker)
{
	while (worker->units != NULL) {
		struct sd_unit *unit = worker->units;

		worker->units = unit->next;
		unit->type->destroy(unit->state);
		free(unit);
	}
}

static doca_error_t execute(struct doca_task *task, struct sd_worker *worker)
{
	const struct sd_task_operation *operation = task->pool->operation;
	void *unit = NULL;

	if (sd_config()->null_device)
		return DOCA_SUCCESS;
	if (operation->unit_type != NULL) {
		unit = find_unit(worker, operation->unit_type);
		if (unit == NULL)
			return DOCA_ERROR_NO_MEMORY;
	}
	return operation->execute(task, unit);
}

uint8_t sd_task_execute(struct doca_task *task, struct sd_worker *worker)
{
	const struct sd_fault *fault = &task->fault;
	doca_error_t result;

	task->is_executed = 1;
	if (fault->lost) {
		task->status = DOCA_ERROR_IO_FAILED;
		sd_device_client->device_lost(task->ctx);
		return 1;
	}
	result = fault->error != DOCA_SUCCESS ? fault->error : execute(task, worker);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return 0;
	task->status = result;
	if (fault->corrupt && result == DOCA_SUCCESS && task->pool->operation->corrupt != NULL)
		task->pool->operation->corrupt(task);
	return 1;
}
