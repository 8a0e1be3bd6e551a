/*
 * Sockets that have not named their connection yet. A listener limits their number and their time. Service thread, unless a
 * function states otherwise. See sd_rdma.h and wire.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "guest.h"

enum { MAX_GUESTS = 64 };

static const uint64_t GREETING_NS = 5000000000u;	/* deadline of the first packet */
static const uint64_t SHORTAGE_NS = 10000000u;

static pthread_mutex_t guests_lock = PTHREAD_MUTEX_INITIALIZER;	/* of the list, and held while a listener greets a guest */
static struct rdma_guest *guests;		/* newest first */

/* Removes a guest from the list. The caller that gets 1 destroys it. The lock must be held. */
static uint8_t unlink_guest(struct rdma_guest *guest)
{
	struct rdma_guest **place = &guests;

	while (*place != NULL && *place != guest)
		place = &(*place)->next;
	if (*place == NULL)
		return 0;
	*place = guest->next;
	return 1;
}

static uint8_t take_off(struct rdma_guest *guest)
{
	uint8_t is_taken;

	pthread_mutex_lock(&guests_lock);
	is_taken = unlink_guest(guest);
	pthread_mutex_unlock(&guests_lock);
	return is_taken;
}

/* keeps_channel: a connection uses it. */
static void destroy(struct rdma_guest *guest, uint8_t keeps_channel)
{
	if (!keeps_channel)
		rdma_channel_unwatch(&guest->channel);
	sd_service_cancel(&guest->deadline);
	if (!keeps_channel)
		rdma_channel_close(&guest->channel);
	free(guest);
}

static void guest_ready(struct sd_watch *watch, uint32_t events)
{
	struct rdma_guest *guest = (struct rdma_guest *)watch;
	struct rdma_packet packet;
	size_t len = 0;
	enum sd_line_result received = rdma_channel_receive(&guest->channel, &packet, NULL, &len);
	uint8_t is_taken, is_adopted = 0;

	(void)events;
	if (received == SD_LINE_AGAIN)
		return;
	pthread_mutex_lock(&guests_lock);
	is_taken = unlink_guest(guest);
	if (is_taken && received == SD_LINE_DONE && packet.value == RDMA_WIRE_VERSION && packet.key != 0)
		is_adopted = guest->listener->greet(guest, &packet);
	pthread_mutex_unlock(&guests_lock);
	if (is_taken)
		destroy(guest, is_adopted);
}

static void greeting_is_late(struct sd_job *job)
{
	struct rdma_guest *guest = SD_OWNER(job, struct rdma_guest, deadline);

	if (take_off(guest))
		destroy(guest, 0);
}

/* listener: NULL for any. */
static struct rdma_guest *take_oldest(const struct rdma_listener *listener, uint32_t at_least)
{
	struct rdma_guest *oldest = NULL;
	uint32_t count = 0;

	pthread_mutex_lock(&guests_lock);
	for (struct rdma_guest *guest = guests; guest != NULL; guest = guest->next) {
		if (listener != NULL && guest->listener != listener)
			continue;
		oldest = guest;
		count++;
	}
	if (count < at_least)
		oldest = NULL;
	if (oldest != NULL)
		(void)unlink_guest(oldest);
	pthread_mutex_unlock(&guests_lock);
	return oldest;
}

static void admit(struct rdma_listener *listener, struct rdma_channel *channel, pid_t pid)
{
	struct rdma_guest *guest = calloc(1, sizeof(*guest)), *oldest;

	if (guest == NULL) {
		rdma_channel_close(channel);
		return;
	}
	/* An honest guest sends its first packet at once, so the oldest one of too many is not honest. */
	oldest = take_oldest(NULL, MAX_GUESTS);
	if (oldest != NULL)
		destroy(oldest, 0);
	guest->channel = *channel;
	guest->pid = pid;
	guest->listener = listener;
	pthread_mutex_lock(&guests_lock);
	guest->next = guests;
	guests = guest;
	pthread_mutex_unlock(&guests_lock);
	sd_service_schedule(&guest->deadline, GREETING_NS, greeting_is_late);
	if (rdma_channel_watch(&guest->channel, EPOLLIN, guest_ready) != DOCA_SUCCESS && take_off(guest))
		destroy(guest, 0);
}

static void listener_ready(struct sd_watch *watch, uint32_t events)
{
	struct rdma_listener *listener = (struct rdma_listener *)watch;
	struct rdma_channel channel = { 0 };
	doca_error_t result;
	pid_t pid;

	(void)events;
	result = sd_rendezvous_accept(&listener->socket, &channel.watch.fd, &pid);
	if (result == DOCA_SUCCESS)
		admit(listener, &channel, pid);
	else if (result == DOCA_ERROR_OPERATING_SYSTEM) /* no free descriptor: accept the sockets later */
		sd_service_pause(&listener->pause, watch, EPOLLIN, SHORTAGE_NS);
}

static void accept_line(struct sd_line_listener *lines, struct sd_line *line)
{
	struct rdma_channel channel = { .line = line };

	admit(SD_OWNER(lines, struct rdma_listener, lines), &channel, 0);
}

doca_error_t rdma_listener_open(struct rdma_listener *listener, const char *name)
{
	doca_error_t result = sd_rendezvous_listen(&listener->socket, name);

	if (result != DOCA_SUCCESS)
		return result;
	result = sd_service_watch(&listener->watch, listener->socket.fd, EPOLLIN, listener_ready);
	if (result != DOCA_SUCCESS) {
		sd_rendezvous_close(&listener->socket);
		return result;
	}
	strcpy(listener->lines.name, name);
	listener->lines.accept = accept_line;
	sd_line_listen(&listener->lines);
	return DOCA_SUCCESS;
}

void rdma_listener_close(struct rdma_listener *listener)
{
	struct rdma_guest *guest;

	sd_line_unlisten(&listener->lines);
	sd_service_unwatch(&listener->watch);
	sd_service_cancel(&listener->pause.job);
	sd_service_unwatch(&listener->watch); /* the pause may have watched it again */
	sd_rendezvous_close(&listener->socket);
	while ((guest = take_oldest(listener, 1)) != NULL)
		destroy(guest, 0);
}
