/* Lifetime of the device, and selection of its execution mode. */
#include "sd_device.h"

#include <pthread.h>

#include "sd_base.h"
#include "sd_config.h"
#include "sd_log.h"
#include "sd_timing.h"

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t num_users;			/* started contexts */
static const struct sd_execution *execution;	/* fixed while num_users > 0 */

doca_error_t sd_device_acquire(const struct sd_device_client *client)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *problem;

	sd_config(); /* logs the invalid settings, if it reads the environment */
	problem = sd_config_problem();
	if (problem != NULL) {
		SD_LOG_ERROR("no context starts: %s", problem);
		return DOCA_ERROR_INITIALIZATION;
	}
	pthread_mutex_lock(&life_lock);
	if (num_users == 0) {
		sd_device_client = client;
		execution = sd_config()->execution == SOFTDPU_EXECUTION_INLINE ? &sd_execution_inline : &sd_execution_threads;
		sd_timing_reset();
		result = execution->open();
	}
	if (result == DOCA_SUCCESS)
		num_users++;
	pthread_mutex_unlock(&life_lock);
	return result;
}

void sd_device_release(void)
{
	pthread_mutex_lock(&life_lock);
	if (--num_users == 0)
		execution->close();
	pthread_mutex_unlock(&life_lock);
}

uint8_t sd_device_lock_unused(void)
{
	pthread_mutex_lock(&life_lock);
	if (num_users == 0)
		return 1;
	pthread_mutex_unlock(&life_lock);
	return 0;
}

void sd_device_unlock(void)
{
	pthread_mutex_unlock(&life_lock);
}

/* The caller is a user of the device: execution cannot change. */
void sd_device_queue(struct doca_task *task)
{
	task->timed_ns = sd_config()->timing ? sd_timing_reserve(task) : 0;
	execution->queue(task);
}

void sd_device_delay(struct doca_task *task)
{
	execution->delay(task);
}

uint8_t sd_device_has_others(const struct doca_task *task)
{
	return execution->has_others(task);
}

struct doca_task *sd_device_cancel(struct doca_ctx *ctx)
{
	return execution->cancel(ctx);
}
