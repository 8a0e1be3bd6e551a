/* A system without random numbers: exports fail with an error, do not wait for ever, and succeed later. */
#include <errno.h>
#include <limits.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rdma.h"

enum { LIMIT_S = 20 };

static int num_good, num_bad, reason;	/* the next draws succeed, those after them fail */
static int num_draws;

/* Replaces libc's function. */
ssize_t getrandom(void *bytes, size_t len, unsigned int flags)
{
	num_draws++;
	if (num_good-- > 0 || num_bad-- <= 0)
		return syscall(SYS_getrandom, bytes, len, flags);
	errno = reason;
	return -1;
}

static void fail_draws(int good, int bad, int with)
{
	num_good = good;
	num_bad = bad;
	reason = with;
	num_draws = 0;
}

static struct rdma_side side;

static void open_side(void)
{
	rdma_side_open(&side, "03:00.0", RDMA_ALL);
	CHECK_OK(doca_ctx_start(side.ctx));
}

static void close_side(void)
{
	fail_draws(0, 0, 0);
	rdma_side_close(&side);
}

static doca_error_t export_connection(void)
{
	struct doca_rdma_connection *connection;
	const void *details;
	size_t len;

	return doca_rdma_export(side.rdma, &details, &len, &connection);
}

static doca_error_t export_memory(void)
{
	const void *desc;
	size_t len;

	return doca_mmap_export_rdma(side.map, side.dev, &desc, &len);
}

/* The first draw is the socket's name or the identity of the process, the second one the key. */
static void fails_and_recovers(doca_error_t export(void), int draw)
{
	open_side();
	fail_draws(draw, 1, ENOSYS);
	CHECK_ERROR(export(), DOCA_ERROR_DRIVER);
	CHECK_EQ(num_draws, draw + 1);
	CHECK_OK(export());
	close_side();
}

static void interrupted(doca_error_t export(void))
{
	open_side();
	fail_draws(0, 3, EINTR);
	CHECK_OK(export());
	close_side();
	open_side();
	fail_draws(0, INT_MAX, EINTR);
	CHECK_ERROR(export(), DOCA_ERROR_DRIVER);
	close_side();
}

int main(void)
{
	alarm(LIMIT_S);
	fails_and_recovers(export_memory, 0);	/* later exports of this process draw a key only */
	fails_and_recovers(export_connection, 0);
	fails_and_recovers(export_connection, 1);
	interrupted(export_memory);
	interrupted(export_connection);
	rig_check_nothing_is_left();
	return 0;
}
