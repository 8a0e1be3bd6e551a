#include "sd_source.h"

#include <stdatomic.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sd_engine.h"

enum { SOURCES_PER_READ = 16 };

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

	if (sources->epoll_fd < 0)
		sources->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return sources->epoll_fd < 0 ? DOCA_ERROR_INITIALIZATION : DOCA_SUCCESS;
}

/* The lock must be held. */
static uint8_t enter(struct sd_sources *sources, struct sd_source *source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = source };

	if (epoll_ctl(sources->epoll_fd, EPOLL_CTL_ADD, source->fd, &event) != 0)
		return 0;
	source->is_offered = 1;
	source->prev = NULL;
	source->next = sources->first;
	if (sources->first != NULL)
		sources->first->prev = source;
	sources->first = source;
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
		if (source->prev != NULL)
			source->prev->next = source->next;
		else
			sources->first = source->next;
		if (source->next != NULL)
			source->next->prev = source->prev;
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

/* Another thread may withdraw a source at any moment; its memory stays until this thread has heard of that. */
void sd_sources_read(struct sd_sources *sources, uint32_t budget)
{
	uint32_t num_sources = atomic_load(&sources->count);
	struct epoll_event events[SOURCES_PER_READ];
	int count;

	if (num_sources == 0)
		return;
	if (num_sources == 1) { /* to read it costs as much as to ask whether it is ready */
		struct sd_source *only = first_of(sources);

		if (only != NULL)
			only->ready(only, budget);
		return;
	}
	count = epoll_wait(sources->epoll_fd, events, SOURCES_PER_READ, 0);
	for (int i = 0; i < count; i++) {
		struct sd_source *source = events[i].data.ptr;

		source->ready(source, budget);
	}
}

void sd_sources_rest(struct sd_sources *sources)
{
	struct sd_source *source;

	pthread_mutex_lock(&sources->lock);
	sources->is_polling = 0;
	pthread_mutex_unlock(&sources->lock);
	while ((source = first_of(sources)) != NULL)
		source->take_back(source);
}
