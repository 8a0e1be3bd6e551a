/*
 * The cost of a poll does not depend on idle objects. After a while no poll visits an idle context of any kind, and none reads
 * the sockets of idle connections. The test covers connections of one server and of many clients on one engine. The test
 * counts visits and does not measure time. Arrivals at an idle context are still noticed.
 */
#include <dlfcn.h>
#include <sys/socket.h>

#include "comch_data.h"
#include "doca_graph.h"
#include "sd_engine.h"
#include "sync_event.h"

enum { IDLE = 16, POLLS = 1000, UNTIL_IDLE = 40000, PINGS = 50 };

static _Atomic uint64_t num_reads;

/* Overrides the function of libc. */
ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	static ssize_t (*next)(int fd, struct msghdr *message, int flags);

	if (next == NULL)
		next = (ssize_t(*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
	num_reads++;
	return next(fd, message, flags);
}

static struct side server, clients[IDLE];
static struct doca_comch_connection *connections[IDLE];	/* of the server */
static struct data consumers[IDLE], producers[IDLE];
static struct doca_sync_event *events[IDLE];
static struct doca_graph *graphs[IDLE];
static int num_completed;

/* Returns the number of visits of polls without events. */
static uint64_t visits_of(struct doca_pe *pe, int calls)
{
	uint64_t before = pe->num_visits;

	for (int i = 0; i < calls; i++)
		CHECK_EQ(doca_pe_progress(pe), 0);
	CHECK(pe->is_polling);
	return pe->num_visits - before;
}

static void become_idle(struct doca_pe *pe)
{
	visits_of(pe, UNTIL_IDLE);
	CHECK_EQ(visits_of(pe, POLLS), 0);
}

/* Opens all clients on one engine. */
static void open_clients(void)
{
	struct doca_pe *pe;

	side_create_server(&server, "idle");
	CHECK_OK(doca_ctx_start(server.ctx));
	CHECK_OK(doca_pe_create(&pe));
	for (int i = 0; i < IDLE; i++) {
		side_create_client_on_engine(&clients[i], "idle", "81:00.0", pe);
		side_connect(&server, &clients[i]);
		SIDE_PROGRESS_UNTIL(&server, &clients[i], server.num_connected == i + 1);
		connections[i] = server.connection;
		CHECK_OK(doca_comch_client_get_connection(clients[i].client, &clients[i].connection));
	}
}

/* Opens consumers, each with a posted buffer. */
static void open_consumers(void)
{
	for (int i = 0; i < IDLE; i++) {
		data_create_consumer(&consumers[i], &clients[i], clients[i].pe);
		data_start_consumer(&consumers[i], &server, &clients[i]);
		CHECK_OK(data_post(&consumers[i], 0, DATA_SLOT));
		server.connection = connections[i];
		data_open_producer(&producers[i], &server, server.pe);
	}
}

static void event_completed_once(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	CHECK_OK(doca_task_get_status(task));
	doca_task_free(task);
	num_completed++;
}

static void open_events_and_graphs(struct doca_pe *pe)
{
	for (int i = 0; i < IDLE; i++) {
		events[i] = event_new(clients[0].dev);
		CHECK_OK(doca_sync_event_task_wait_eq_set_conf(events[i], EVENT_CALLBACK(wait_eq, event_completed_once),
							       EVENT_CALLBACK(wait_eq, event_completed_once), 1));
		CHECK_OK(doca_sync_event_task_notify_set_set_conf(events[i], EVENT_CALLBACK(notify_set, event_completed_once),
								  EVENT_CALLBACK(notify_set, event_completed_once), 1));
		CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(events[i])));
		CHECK_OK(doca_ctx_start(doca_sync_event_as_ctx(events[i])));
		CHECK_OK(doca_graph_create(pe, &graphs[i]));
	}
}

/* One connection is busy. Each of its messages costs one read, for any number of other connections. */
static void read_what_is_ready(void)
{
	uint64_t before;

	visits_of(clients[0].pe, POLLS); /* both engines poll from now on */
	visits_of(server.pe, POLLS);
	for (int i = 0; i < IDLE; i++) { /* each was busy once */
		server.connection = connections[i];
		CHECK_OK(side_send(&server, "once", 4));
		SIDE_PROGRESS_UNTIL(&server, &clients[0], clients[i].num_received == 1);
		CHECK_OK(side_send(&clients[i], "once", 4));
		SIDE_PROGRESS_UNTIL(&clients[0], &server, server.num_received == i + 1);
	}
	before = num_reads;
	server.connection = connections[0];
	for (int i = 0; i < PINGS; i++) {
		CHECK_OK(side_send(&server, "ping", 4));
		SIDE_PROGRESS_UNTIL(&server, &clients[0], clients[0].num_received == i + 2);
		CHECK_OK(side_send(&clients[0], "pong", 4));
		SIDE_PROGRESS_UNTIL(&clients[0], &server, server.num_received == IDLE + i + 1);
	}
	CHECK_EQ(num_reads - before, 2 * PINGS);
}

/* A connection with a long idle time returns to the service thread and costs nothing; a single one may stay. */
static void return_idle_connections(void)
{
	CHECK_EQ(clients[0].pe->sources.count, IDLE);
	CHECK_EQ(server.pe->sources.count, IDLE);
	visits_of(clients[0].pe, UNTIL_IDLE);
	visits_of(server.pe, UNTIL_IDLE);
	CHECK_EQ(clients[0].pe->sources.count, 1);
	CHECK_EQ(server.pe->sources.count, 1);
	for (int i = 0; i < IDLE; i++) {
		int received = clients[i].num_received;

		server.connection = connections[i];
		CHECK_OK(side_send(&server, "late", 4));
		SIDE_PROGRESS_UNTIL(&server, &clients[0], clients[i].num_received == received + 1);
	}
}

static void notice_what_comes(void)
{
	struct doca_sync_event_task_wait_eq *wait;
	struct doca_sync_event_task_notify_set *set;
	union doca_data none = { 0 };

	for (int i = 0; i < IDLE; i++) {
		become_idle(clients[0].pe);
		CHECK_OK(data_send(&producers[i], 0, 100, NULL, 0, consumers[i].id));
		SIDE_PROGRESS_UNTIL(&server, &clients[0], consumers[i].completed == 1 && producers[i].completed == 1);
		CHECK_EQ(consumers[i].last_data_len, 100);
		CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(events[i], 1, UINT64_MAX, none, &wait));
		CHECK_OK(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(wait)));
		CHECK(visits_of(clients[0].pe, POLLS) >= POLLS - 1); /* polls check its condition */
		CHECK_OK(doca_sync_event_task_notify_set_alloc_init(events[i], 1, none, &set));
		CHECK_OK(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(set)));
		RIG_PROGRESS_UNTIL(clients[0].pe, num_completed == 2 * (i + 1));
	}
	become_idle(clients[0].pe);
}

static void close_all(void)
{
	struct doca_pe *pe = clients[0].pe;

	for (int i = 0; i < IDLE; i++) {
		CHECK_OK(doca_graph_destroy(graphs[i]));
		CHECK_OK(doca_ctx_stop(doca_sync_event_as_ctx(events[i])));
		CHECK_OK(doca_sync_event_destroy(events[i]));
		data_stop(&producers[i], &server, &clients[0]);
		data_close(&producers[i]);
		data_stop(&consumers[i], &server, &clients[0]);
		data_close(&consumers[i]);
		side_stop(&clients[i], &server);
		CHECK_OK(doca_comch_client_destroy(clients[i].client));
		CHECK_OK(doca_dev_close(clients[i].dev));
	}
	CHECK_OK(doca_pe_destroy(pe));
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == IDLE);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

int main(void)
{
	make_own_folder();
	open_clients();
	read_what_is_ready();
	return_idle_connections();
	open_consumers();
	open_events_and_graphs(clients[0].pe);
	become_idle(clients[0].pe);
	become_idle(server.pe);
	notice_what_comes();
	close_all();
	remove_own_folder();
	return 0;
}
