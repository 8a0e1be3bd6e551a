#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "doca_log.h"
#include "log_backend.h"

enum { MAX_SOURCES = 1024 };

/* Constructors of any priority register here. Static initialisation makes these variables usable before any code runs. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char names[MAX_SOURCES][LOG_SOURCE_NAME_SIZE];
static uint8_t used[MAX_SOURCES];

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
	doca_error_t result = DOCA_ERROR_NO_MEMORY;
	int id;

	if (source_name == NULL || source == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	for (id = 0; id < MAX_SOURCES && used[id]; id++)
		;
	if (id < MAX_SOURCES) {
		used[id] = 1;
		strncpy(names[id], source_name, LOG_SOURCE_NAME_SIZE - 1);
		names[id][LOG_SOURCE_NAME_SIZE - 1] = '\0';
		*source = id;
		result = DOCA_SUCCESS;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

doca_error_t doca_log_unregister_source(int source)
{
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	pthread_mutex_lock(&lock);
	if (source >= 0 && source < MAX_SOURCES && used[source]) {
		used[source] = 0;
		result = DOCA_SUCCESS;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

void log_source_name(int source, char name[LOG_SOURCE_NAME_SIZE])
{
	pthread_mutex_lock(&lock);
	if (source >= 0 && source < MAX_SOURCES && used[source])
		memcpy(name, names[source], LOG_SOURCE_NAME_SIZE);
	else
		strcpy(name, "?");
	pthread_mutex_unlock(&lock);
}
