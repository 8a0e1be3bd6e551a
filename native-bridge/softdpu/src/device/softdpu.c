#include "softdpu.h"

#include "sd_census.h"

const char *softdpu_version(void)
{
	return "0.1.0";
}

void softdpu_census(struct softdpu_census *census)
{
	census->devices = sd_census_get(SD_CENSUS_DEVICES);
	census->representors = sd_census_get(SD_CENSUS_REPRESENTORS);
	census->engines = sd_census_get(SD_CENSUS_ENGINES);
	census->contexts = sd_census_get(SD_CENSUS_CONTEXTS);
	census->tasks = sd_census_get(SD_CENSUS_TASKS);
	census->tasks_in_flight = sd_census_get(SD_CENSUS_TASKS_IN_FLIGHT);
	census->maps = sd_census_get(SD_CENSUS_MAPS);
	census->inventories = sd_census_get(SD_CENSUS_INVENTORIES);
	census->pools = sd_census_get(SD_CENSUS_POOLS);
	census->buffers = sd_census_get(SD_CENSUS_BUFFERS);
	census->hardware_threads = sd_census_get(SD_CENSUS_HARDWARE_THREADS);
}
