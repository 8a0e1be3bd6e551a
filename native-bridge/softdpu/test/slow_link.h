/* A server and a client that send numbered messages, for tests of links with delays. */
#ifndef SLOW_LINK_H
#define SLOW_LINK_H

#include "comch_process.h"

enum { MESSAGES = 5 };

static const char name[] = "slow link";
RIG struct side server, client;
RIG struct data consumer;
RIG int received;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

/* Messages have consecutive numbers. */
RIG void check_order(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)side;
	(void)connection;
	CHECK_EQ(len, 1);
	CHECK_EQ(bytes[0], received);
	received++;
}

RIG void create_sides(void)
{
	received = 0;
	side_create_server(&server, name);
	side_create_client(&client, name);
	server.on_message = check_order;
	client.on_message = check_order;
	CHECK_OK(doca_ctx_start(server.ctx));
}

RIG void open_sides(void)
{
	create_sides();
	side_connect(&server, &client);
}

RIG void close_sides(void)
{
	softdpu_faults_clear();
	sides_close(&server, &client);
}

RIG void send_messages(struct side *side)
{
	for (uint8_t number = 0; number < MESSAGES; number++)
		CHECK_OK(side_send(side, &number, 1));
}

/* Progresses both sides until they are idle. */
RIG void progress_all(void)
{
	while (side_progress(&server) || side_progress(&client))
		;
}

#endif
