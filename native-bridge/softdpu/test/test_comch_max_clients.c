/*
 * SOFTDPU_MAX_CLIENTS sets the limit of clients per server in profile full, above or below 512; the profiles of cards keep 512.
 */
#include <stdatomic.h>

#include "comch_rig.h"
#include "doca_log.h"

enum { CLIENTS = 3 };

static char line[512];
static _Atomic int refusals;

static void see_refusal(char *buf)
{
	refusals += strstr(buf, " 2 clients") != NULL;
}

static uint32_t max_clients(const char *profile)
{
	struct doca_dev *dev;
	uint32_t count;

	CHECK_OK(softdpu_set_profile(profile));
	dev = rig_open_device("03:00.0");
	CHECK_OK(doca_comch_cap_get_max_clients(doca_dev_as_devinfo(dev), &count));
	CHECK_OK(doca_dev_close(dev));
	return count;
}

static void settings(void)
{
	CHECK_EQ(max_clients("full"), 512);
	CHECK_ERROR(softdpu_set_max_clients(0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_set_max_clients(65537), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(softdpu_set_max_clients(10000));
	CHECK_EQ(softdpu_get_max_clients(), 10000);
	CHECK_EQ(max_clients("bluefield2"), 512);
	CHECK_EQ(max_clients("bluefield3"), 512);
	CHECK_EQ(max_clients("full"), 10000);
}

/* A server at its limit refuses a client and logs the limit. After another client has left, the server accepts it. */
static void limit(void)
{
	struct side server, clients[CLIENTS], *last = &clients[CLIENTS - 1];
	struct doca_log_backend *backend;

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), see_refusal, &backend));
	CHECK_OK(softdpu_set_max_clients(CLIENTS - 1));
	side_create_server(&server, "limit");
	CHECK_OK(doca_ctx_start(server.ctx));
	CHECK_ERROR(softdpu_set_max_clients(1), DOCA_ERROR_BAD_STATE);
	for (int i = 0; i < CLIENTS; i++)
		side_create_client(&clients[i], "limit");
	for (int i = 0; i < CLIENTS - 1; i++)
		side_connect(&server, &clients[i]);
	CHECK_ERROR(doca_ctx_start(last->ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, last, side_state(last) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(server.num_connected, CLIENTS - 1);
	CHECK_EQ(refusals, 1);
	side_close(&clients[0], &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	side_connect(&server, last);
	for (int i = 1; i < CLIENTS; i++)
		side_close(&clients[i], &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == CLIENTS);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

int main(void)
{
	make_own_folder();
	settings();
	limit();
	remove_own_folder();
	return 0;
}
