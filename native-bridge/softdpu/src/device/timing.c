#include "sd_timing.h"

#include <pthread.h>
#include <string.h>

#include "sd_base.h"
#include "sd_device.h"
#include "sd_profile.h"

enum { NS_PER_S = 1000000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct sd_channels *unit;			/* DMA is the only unit with a model */
static uint64_t free_at[SD_TIMING_MAX_CHANNELS];

static uint64_t duration(const struct sd_channels *channels, uint64_t bytes)
{
	return channels->latency_ns + bytes / channels->bytes_per_s * NS_PER_S +
	       bytes % channels->bytes_per_s * NS_PER_S / channels->bytes_per_s;
}

/* The lock must be held. */
static uint64_t *find_channel(const struct sd_channels *channels)
{
	uint64_t *earliest = &free_at[0];

	if (unit != channels)
		memset(free_at, 0, sizeof(free_at)); /* the profile has changed */
	unit = channels;
	for (uint32_t i = 1; i < channels->count; i++) {
		if (free_at[i] < *earliest)
			earliest = &free_at[i];
	}
	return earliest;
}

uint64_t sd_timing_reserve(const struct doca_task *task)
{
	const struct sd_channels *channels;
	uint64_t bytes, now, end, *channel;

	if (task->pool->operation->load == NULL)
		return 0;
	bytes = task->pool->operation->load(task, &channels);
	now = sd_clock_now();
	pthread_mutex_lock(&lock);
	channel = find_channel(channels);
	end = (*channel > now ? *channel : now) + duration(channels, bytes);
	*channel = end;
	pthread_mutex_unlock(&lock);
	return end;
}

uint64_t sd_timing_due(const struct doca_task *task)
{
	uint64_t now;

	/* A time in the past is returned as well: an earlier task may still wait for its completion. */
	if (task->fault.delay_ns == 0)
		return task->timed_ns;
	now = sd_clock_now();
	return (task->timed_ns > now ? task->timed_ns : now) + task->fault.delay_ns;
}

void sd_timing_reset(void)
{
	pthread_mutex_lock(&lock);
	memset(free_at, 0, sizeof(free_at));
	pthread_mutex_unlock(&lock);
}
