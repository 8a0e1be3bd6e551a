/* Without memory for the overflow queue or for a new connection, the next enter reports the loss, and later ones work. */
#include "comch_rig.h"

#ifdef IS_SANITIZED
int main(void)
{
	return SKIPPED;
}
#else
void *__libc_malloc(size_t size);

static int is_short;

void *malloc(size_t size)
{
	return is_short ? NULL : __libc_malloc(size);
}

static void test_message(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	uint32_t handle;

	comch_create(&rig, 16, 1, true);
	connection = fake_connect(rig.ctx);
	handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	comch_message(connection, 1);
	is_short = 1;
	comch_message(connection, 2);
	is_short = 0;
	comch_message(connection, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), UINT32_MAX);
	CHECK(strstr(dpubridge_error(), "lack of memory") != NULL);
	CHECK_EQ(comch_take(&rig, DPUBRIDGE_RECORD_MESSAGE, 1), handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	CHECK_EQ(comch_take(&rig, DPUBRIDGE_RECORD_MESSAGE, 3), handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_peer_leaves(connection);
	rig_destroy(&rig);
}

static void test_connection(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;

	comch_create(&rig, 16, 1, true);
	/* The fake allocates with calloc, which still works. */
	is_short = 1;
	connection = fake_connect(rig.ctx);
	is_short = 0;
	CHECK_EQ(rig_unread(&rig), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), UINT32_MAX);
	CHECK(strstr(dpubridge_error(), "lack of memory") != NULL);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_peer_leaves(connection);
	CHECK_EQ(rig_unread(&rig), 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_message();
	test_connection();
	return 0;
}
#endif
