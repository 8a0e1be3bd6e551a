#include "export_service.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "importer.h"
#include "link.h"
#include "sd_log.h"
#include "sd_service.h"
#include "sd_tunnel.h"

enum { MAX_SILENT = 16 /* importers before HELLO */, MAX_GREETED = 256 };

static const uint64_t GREETING_NS = 5000000000u;	/* deadline of HELLO; a later importer is disconnected */
static const uint64_t SHORTAGE_NS = 10000000u;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; the thread that unlinks an importer destroys it */
static struct importer *importers;
static struct sd_listener listener;
static struct sd_watch listener_watch;
static struct sd_pause listener_pause;

void export_service_hold(void)
{
	pthread_mutex_lock(&lock);
}

void export_service_release(void)
{
	pthread_mutex_unlock(&lock);
}

static uint8_t take_off(struct importer *importer)
{
	struct importer **place = &importers;

	pthread_mutex_lock(&lock);
	while (*place != NULL && *place != importer)
		place = &(*place)->next;
	if (*place != NULL)
		*place = importer->next;
	else
		importer = NULL;
	pthread_mutex_unlock(&lock);
	return importer != NULL;
}

static void destroy(struct importer *importer)
{
	sd_service_unwatch(&importer->watch);
	sd_service_cancel(&importer->deadline);
	if (importer->pass != NULL) {
		export_remove_pass(importer->pass);
		munmap(importer->pass, sizeof(*importer->pass));
	}
	close(importer->fd);
	free(importer);
}

static void hang_up(struct importer *importer)
{
	if (take_off(importer))
		destroy(importer);
}

/* Counts the silent and the greeted importers. Returns the silent importer that has waited longest, or NULL. */
static struct importer *survey(uint32_t *num_silent, uint32_t *num_greeted)
{
	struct importer *oldest = NULL;

	*num_silent = 0;
	*num_greeted = 0;
	pthread_mutex_lock(&lock);
	for (struct importer *importer = importers; importer != NULL; importer = importer->next) {
		if (importer->is_greeted) {
			++*num_greeted;
			continue;
		}
		++*num_silent;
		oldest = importer; /* the newest importer is first */
	}
	pthread_mutex_unlock(&lock);
	return oldest;
}

static uint8_t may_greet(const struct importer *importer)
{
	uint32_t num_silent, num_greeted;

	survey(&num_silent, &num_greeted);
	if (num_greeted < MAX_GREETED)
		return 1;
	SD_LOG_WARNING("refused process %d: %u processes, the maximum, already import memory of this one", (int)importer->pid,
		       num_greeted);
	return 0;
}

static void importer_ready(struct sd_watch *watch, uint32_t events)
{
	struct importer *importer = (struct importer *)watch;

	if (!(events & EPOLLIN) || !importer_answer(importer, may_greet))
		hang_up(importer);
}

static void greeting_is_late(struct sd_job *job)
{
	struct importer *importer = SD_OWNER(job, struct importer, deadline);

	if (!importer->is_greeted)
		hang_up(importer);
}

static void admit(int fd, pid_t pid)
{
	struct importer *importer = calloc(1, sizeof(*importer)), *oldest;
	uint32_t num_silent, num_greeted;

	if (importer == NULL) {
		close(fd);
		return;
	}
	/* An honest importer sends HELLO at once, before this process accepts the next connection. */
	oldest = survey(&num_silent, &num_greeted);
	if (num_silent >= MAX_SILENT)
		hang_up(oldest);
	importer->fd = fd;
	importer->pid = pid;
	pthread_mutex_lock(&lock);
	importer->next = importers;
	importers = importer;
	pthread_mutex_unlock(&lock);
	sd_service_schedule(&importer->deadline, GREETING_NS, greeting_is_late);
	if (sd_service_watch(&importer->watch, fd, EPOLLIN, importer_ready) != DOCA_SUCCESS)
		hang_up(importer);
}

static void listener_ready(struct sd_watch *watch, uint32_t events)
{
	doca_error_t result;
	pid_t pid;
	int fd;

	(void)events;
	result = sd_rendezvous_accept(&listener, &fd, &pid);
	if (result == DOCA_SUCCESS)
		admit(fd, pid);
	else if (result == DOCA_ERROR_OPERATING_SYSTEM) /* no free descriptor: accept the importers later */
		sd_service_pause(&listener_pause, watch, EPOLLIN, SHORTAGE_NS);
}

static void destroy_importers(void)
{
	struct importer *importer;

	do {
		pthread_mutex_lock(&lock);
		importer = importers;
		if (importer != NULL)
			importers = importer->next;
		pthread_mutex_unlock(&lock);
		if (importer != NULL)
			destroy(importer);
	} while (importer != NULL);
}

/* A forked child closes its copies of the parent's sockets, so that the parent's end reaches the importers. */
static void forget_parent(void)
{
	if (listener.owner != 0 && listener.owner != getpid())
		sd_rendezvous_close(&listener);
	destroy_importers();
}

static doca_error_t acquire(void)
{
	doca_error_t result = sd_service_acquire();

	if (result != DOCA_SUCCESS)
		return result;
	result = sd_endpoint_acquire();
	if (result != DOCA_SUCCESS)
		sd_service_release();
	return result;
}

static void release(void)
{
	sd_endpoint_release();
	sd_service_release();
}

doca_error_t export_service_open(const struct export_identity *identity)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;

	forget_parent();
	result = acquire();
	if (result != DOCA_SUCCESS)
		return result;
	link_name(name, (uint32_t)identity->pid, identity->start_time, identity->cookie);
	result = sd_rendezvous_listen(&listener, name);
	if (result == DOCA_SUCCESS) {
		result = sd_service_watch(&listener_watch, listener.fd, EPOLLIN, listener_ready);
		if (result == DOCA_SUCCESS)
			return DOCA_SUCCESS;
		sd_rendezvous_close(&listener);
	}
	release();
	return result;
}

void export_service_close(void)
{
	sd_service_unwatch(&listener_watch);
	sd_service_cancel(&listener_pause.job);
	sd_rendezvous_close(&listener);
	destroy_importers();
	release();
}
