/* Listeners of lines. See sd_line.h. */
#include <pthread.h>
#include <string.h>

#include "sd_line.h"
#include "sd_list.h"
#include "tunnel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* of the list, and held while a listener accepts */
static struct sd_line_listener *listeners;

void sd_line_listen(struct sd_line_listener *listener)
{
	pthread_mutex_lock(&lock);
	listener->next = listeners;
	listeners = listener;
	pthread_mutex_unlock(&lock);
}

void sd_line_unlisten(struct sd_line_listener *listener)
{
	pthread_mutex_lock(&lock);
	SD_REMOVE(listeners, listener, next);
	pthread_mutex_unlock(&lock);
}

uint8_t line_offer(const char *name, struct sd_line *line)
{
	struct sd_line_listener *listener;

	pthread_mutex_lock(&lock);
	for (listener = listeners; listener != NULL; listener = listener->next) {
		if (strcmp(listener->name, name) == 0)
			break;
	}
	if (listener != NULL)
		listener->accept(listener, line);
	pthread_mutex_unlock(&lock);
	return listener != NULL;
}
