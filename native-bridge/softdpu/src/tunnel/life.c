/* The list of tunnels, and their ends. The thread that removes a tunnel from the list frees it. */
#include <arpa/inet.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "sd_thread.h"
#include "tunnel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards the list */
static pthread_cond_t changed;			/* a tunnel has ended */
static struct tunnel *tunnels;			/* newest first */

static void make_text(char text[TUNNEL_PEER_TEXT], const struct sockaddr_in6 *peer)
{
	char address[INET6_ADDRSTRLEN] = "";

	if (IN6_IS_ADDR_V4MAPPED(&peer->sin6_addr))
		inet_ntop(AF_INET, &peer->sin6_addr.s6_addr[12], address, sizeof(address));
	else
		inet_ntop(AF_INET6, &peer->sin6_addr, address, sizeof(address));
	snprintf(text, TUNNEL_PEER_TEXT, "%s port %u", address, ntohs(peer->sin6_port));
}

static void init_condition(void)
{
	sd_thread_init_condition(&changed);
}

struct tunnel *tunnel_new(int remote_fd, const struct sockaddr_in6 *peer, uint8_t is_server,
			  void (*step)(struct tunnel *tunnel))
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct tunnel *tunnel = calloc(1, sizeof(*tunnel));

	pthread_once(&once, init_condition);
	if (tunnel == NULL) {
		close(remote_fd);
		return NULL;
	}
	tunnel->remote.fd = remote_fd;
	tunnel->remote.tunnel = tunnel->local.tunnel = tunnel;
	tunnel->local.fd = -1;
	tunnel->is_server = is_server;
	tunnel->step = step;
	make_text(tunnel->peer, peer);
	pthread_mutex_lock(&lock);
	tunnel->next = tunnels;
	tunnels = tunnel;
	pthread_mutex_unlock(&lock);
	return tunnel;
}

/* The lock must be held. */
static uint8_t take_off(struct tunnel *tunnel)
{
	struct tunnel **place = &tunnels;

	while (*place != NULL && *place != tunnel)
		place = &(*place)->next;
	if (*place == NULL)
		return 0;
	*place = tunnel->next;
	atomic_store(&tunnel->is_ended, 1);
	return 1;
}

static void withdraw(struct tunnel *tunnel)
{
	sd_service_cancel(&tunnel->deadline);
	sd_service_cancel(&tunnel->again);
	sd_service_unwatch(&tunnel->local.watch);
	sd_service_unwatch(&tunnel->remote.watch);
}

/*
 * The first withdrawal waits for a running step. The step, or the user of the line, may have scheduled or watched more. Ended tunnels
 * begin no other step.
 */
static void destroy(struct tunnel *tunnel)
{
	withdraw(tunnel);
	if (tunnel->line != NULL)
		line_detach(tunnel->line);
	withdraw(tunnel);
	tunnel_close_local(tunnel);
	tls_free(tunnel->ssl);
	close(tunnel->remote.fd);
	frame_clear(&tunnel->out);
	frame_clear(&tunnel->in);
	free(tunnel);
}

void tunnel_end(struct tunnel *tunnel)
{
	uint8_t is_taken;

	pthread_mutex_lock(&lock);
	is_taken = take_off(tunnel);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	if (is_taken)
		destroy(tunnel);
}

void tunnel_end_surplus(void)
{
	struct tunnel *oldest = NULL;
	uint32_t count = 0;

	pthread_mutex_lock(&lock);
	for (struct tunnel *one = tunnels; one != NULL; one = one->next) {
		if (one->is_open || !one->is_server)
			continue;
		oldest = one;
		count++;
	}
	pthread_mutex_unlock(&lock);
	if (count >= TUNNEL_MAX_GUESTS)
		tunnel_end(oldest);
}

void tunnel_end_all(time_t limit_s)
{
	struct timespec deadline;
	struct tunnel *first;
	int error = 0;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += limit_s;
	pthread_mutex_lock(&lock);
	while (tunnels != NULL && limit_s > 0 && error == 0)
		error = pthread_cond_timedwait(&changed, &lock, &deadline);
	while ((first = tunnels) != NULL) {
		(void)take_off(first);
		pthread_mutex_unlock(&lock);
		destroy(first);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
}

/* Service thread. The step may free the tunnel. */
static void ready(struct sd_watch *watch, uint32_t events)
{
	struct tunnel_side *side = (struct tunnel_side *)watch;

	if (atomic_load(&side->tunnel->is_ended))
		return;
	/* A socket that has ended reports that without end. The remaining bytes of that socket need no more events. */
	if ((events & (EPOLLHUP | EPOLLERR)) != 0)
		sd_service_unwatch(&side->watch);
	side->tunnel->step(side->tunnel);
}

uint8_t tunnel_watch(struct tunnel_side *side, uint32_t events)
{
	side->events = events;
	if (sd_service_watch(&side->watch, side->fd, events, ready) == DOCA_SUCCESS)
		return 1;
	tunnel_end(side->tunnel);
	return 0;
}

void tunnel_wait(struct tunnel_side *side, uint32_t events)
{
	if (side->events == events)
		return;
	side->events = events;
	sd_service_rearm(&side->watch, events);
}

static void repeat(struct sd_job *job)
{
	struct tunnel *tunnel = SD_OWNER(job, struct tunnel, again);

	if (!atomic_load(&tunnel->is_ended))
		tunnel->step(tunnel);
}

void tunnel_repeat(struct tunnel *tunnel, uint64_t delay_ns)
{
	sd_service_schedule(&tunnel->again, delay_ns, repeat);
}

static void is_late(struct sd_job *job)
{
	struct tunnel *tunnel = SD_OWNER(job, struct tunnel, deadline);

	if (!atomic_load(&tunnel->is_ended))
		tunnel_end(tunnel);
}

void tunnel_wake(struct tunnel *tunnel)
{
	tunnel_repeat(tunnel, 0);
}

void tunnel_limit(struct tunnel *tunnel, uint64_t limit_ns)
{
	sd_service_schedule(&tunnel->deadline, limit_ns, is_late);
}

void tunnel_close_local(struct tunnel *tunnel)
{
	sd_service_unwatch(&tunnel->local.watch);
	if (tunnel->local.fd >= 0)
		close(tunnel->local.fd);
	tunnel->local.fd = -1;
	if (tunnel->line != NULL)
		line_leave(tunnel->line);
	tunnel->line = NULL;
}
