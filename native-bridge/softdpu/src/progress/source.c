#include "sd_source.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sd_engine.h"
#include "sd_log.h"

enum {
	SOURCES_PER_READ = 16,
	IDLE_POLLS = 1 << 15,			/* polls without an arrival after which a source returns to its library */
};

void sd_sources_init(struct sd_sources *sources)
{
	pthread_mutex_init(&sources->lock, NULL);
	sources->epoll_fd = -1;
}

void sd_sources_fini(struct sd_sources *sources)
{
	if (sources->epoll_fd >= 0)
		close(sources->epoll_fd);
	pthread_mutex_destroy(&sources->lock);
}

doca_error_t sd_sources_open(struct doca_pe *pe)
{
	struct sd_sources *sources = &pe->sources;

	if (sources->epoll_fd >= 0)
		return DOCA_SUCCESS;
	sources->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (sources->epoll_fd >= 0)
		return DOCA_SUCCESS;
	SD_LOG_ERROR("the progress engine cannot poll sockets: epoll_create1: %s", strerror(errno));
	return DOCA_ERROR_INITIALIZATION;
}

/* The lock must be held. */
static void put_first(struct sd_sources *sources, struct sd_source *source)
{
	source->last_ready = sources->num_polls;
	source->prev = NULL;
	source->next = sources->first;
	if (sources->first != NULL)
		sources->first->prev = source;
	else
		sources->last = source;
	sources->first = source;
}

/* The lock must be held. */
static void take_out(struct sd_sources *sources, struct sd_source *source)
{
	if (source->prev != NULL)
		source->prev->next = source->next;
	else
		sources->first = source->next;
	if (source->next != NULL)
		source->next->prev = source->prev;
	else
		sources->last = source->prev;
}

/* The lock must be held. */
static uint8_t enter(struct sd_sources *sources, struct sd_source *source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = source };

	if (epoll_ctl(sources->epoll_fd, EPOLL_CTL_ADD, source->fd, &event) != 0) {
		if (!sources->is_refusing)
			SD_LOG_ERROR("the progress engine leaves descriptor %d to the service thread: epoll_ctl: %s", source->fd,
				     strerror(errno));
		sources->is_refusing = 1;
		return 0;
	}
	sources->is_refusing = 0;
	source->is_offered = 1;
	put_first(sources, source);
	atomic_fetch_add(&sources->count, 1);
	return 1;
}

uint8_t sd_source_offer(struct doca_pe *pe, struct sd_source *source)
{
	struct sd_sources *sources = &pe->sources;
	uint8_t is_accepted;

	pthread_mutex_lock(&sources->lock);
	is_accepted = source->is_offered || (sources->is_polling && enter(sources, source));
	pthread_mutex_unlock(&sources->lock);
	return is_accepted;
}

void sd_source_withdraw(struct doca_pe *pe, struct sd_source *source)
{
	struct sd_sources *sources = &pe->sources;

	pthread_mutex_lock(&sources->lock);
	if (source->is_offered) {
		source->is_offered = 0;
		take_out(sources, source);
		atomic_fetch_sub(&sources->count, 1);
		epoll_ctl(sources->epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
	}
	pthread_mutex_unlock(&sources->lock);
}

void sd_sources_accept(struct sd_sources *sources)
{
	pthread_mutex_lock(&sources->lock);
	sources->is_polling = 1;
	pthread_mutex_unlock(&sources->lock);
}

static struct sd_source *first_of(struct sd_sources *sources)
{
	struct sd_source *first;

	pthread_mutex_lock(&sources->lock);
	first = sources->first;
	pthread_mutex_unlock(&sources->lock);
	return first;
}

/* Returns the only source, or NULL. Reading it costs as much as checking whether it is ready. */
static struct sd_source *begin_poll(struct sd_sources *sources)
{
	struct sd_source *only = NULL;

	pthread_mutex_lock(&sources->lock);
	sources->num_polls++;
	if (sources->first == sources->last && sources->first != NULL) {
		only = sources->first;
		only->last_ready = sources->num_polls;
	}
	pthread_mutex_unlock(&sources->lock);
	return only;
}

static void read_source(struct sd_sources *sources, struct sd_source *source, uint32_t budget)
{
	pthread_mutex_lock(&sources->lock);
	if (source->is_offered) {
		take_out(sources, source);
		put_first(sources, source);
	}
	pthread_mutex_unlock(&sources->lock);
	source->ready(source, budget);
}

/* Returns the source with the longest idle time to its library, if it was idle for IDLE_POLLS; one source per call. */
static void retire(struct sd_sources *sources)
{
	struct sd_source *last;

	pthread_mutex_lock(&sources->lock);
	last = sources->last;
	if (last != NULL && sources->num_polls - last->last_ready < IDLE_POLLS)
		last = NULL;
	pthread_mutex_unlock(&sources->lock);
	if (last != NULL)
		last->withdraw(last);
}

/* Another thread may withdraw a source at any moment; its memory stays valid until this thread has withdrawn it. */
void sd_sources_read(struct sd_sources *sources, uint32_t budget)
{
	struct epoll_event events[SOURCES_PER_READ];
	struct sd_source *only;
	int count;

	if (atomic_load(&sources->count) == 0)
		return;
	only = begin_poll(sources);
	if (only != NULL) {
		only->ready(only, budget);
		return;
	}
	count = epoll_wait(sources->epoll_fd, events, SOURCES_PER_READ, 0);
	for (int i = 0; i < count; i++)
		read_source(sources, events[i].data.ptr, budget);
	retire(sources);
}

void sd_sources_rest(struct sd_sources *sources)
{
	struct sd_source *source;

	pthread_mutex_lock(&sources->lock);
	sources->is_polling = 0;
	pthread_mutex_unlock(&sources->lock);
	while ((source = first_of(sources)) != NULL)
		source->withdraw(source);
}
