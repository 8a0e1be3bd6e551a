/* Where processes can be reached. See sd_tunnel.h. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_config.h"
#include "sd_fnv.h"
#include "sd_log.h"
#include "sd_rendezvous.h"
#include "sd_tunnel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards num_users and gate */
static uint32_t num_users;
static struct sd_gate *gate;
static pid_t owner;				/* process of the users */

/* A forked child has a copy of the parent's gate. The lock must be held. */
static void forget_parent(void)
{
	if (owner != 0 && owner != getpid() && gate != NULL) {
		sd_gate_close(gate);
		gate = NULL;
		num_users = 0;
	}
	owner = getpid();
}

doca_error_t sd_endpoint_acquire(void)
{
	doca_error_t result = DOCA_SUCCESS;

	if (!sd_tunnel_is_on())
		return DOCA_SUCCESS;
	pthread_mutex_lock(&lock);
	forget_parent();
	if (num_users == 0) {
		result = sd_tunnel_acquire();
		if (result == DOCA_SUCCESS && (result = sd_gate_open(0, NULL, &gate)) != DOCA_SUCCESS)
			sd_tunnel_release();
	}
	if (result == DOCA_SUCCESS)
		num_users++;
	pthread_mutex_unlock(&lock);
	return result;
}

void sd_endpoint_release(void)
{
	if (!sd_tunnel_is_on())
		return;
	pthread_mutex_lock(&lock);
	if (--num_users == 0) {
		sd_gate_close(gate);
		gate = NULL;
		sd_tunnel_release();
	}
	pthread_mutex_unlock(&lock);
}

/* Processes with the same boot id and folder reach each other by its sockets. */
static uint64_t hash_host(void)
{
	char boot_id[64];
	uint64_t hash = SD_FNV_START;
	struct stat folder;
	int folder_fd, fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, boot_id, sizeof(boot_id));

	if (fd >= 0)
		close(fd);
	hash = sd_fnv(hash, boot_id, len < 0 ? 0 : (size_t)len);
	if (sd_rendezvous_folder(0, &folder_fd) != DOCA_SUCCESS)
		return 0;
	if (fstat(folder_fd, &folder) == 0) {
		hash = sd_fnv(hash, &folder.st_dev, sizeof(folder.st_dev));
		hash = sd_fnv(hash, &folder.st_ino, sizeof(folder.st_ino));
	}
	close(folder_fd);
	return hash;
}

void sd_endpoint_own(struct sd_endpoint *endpoint)
{
	memset(endpoint, 0, sizeof(*endpoint));
	endpoint->host = hash_host();
	pthread_mutex_lock(&lock);
	if (gate != NULL) {
		memcpy(endpoint->address, sd_config()->tcp.address, SD_TCP_ADDRESS_LEN);
		endpoint->port = sd_gate_port(gate);
	}
	pthread_mutex_unlock(&lock);
}

uint8_t sd_endpoint_is_near(const struct sd_endpoint *endpoint)
{
	return endpoint->host == hash_host();
}

enum sd_route sd_endpoint_route(const struct sd_endpoint *endpoint)
{
	if (sd_config()->rdma_path != SD_RDMA_TCP && sd_endpoint_is_near(endpoint))
		return SD_ROUTE_LOCAL;
	if (endpoint->port != 0 && sd_tunnel_is_on())
		return SD_ROUTE_TUNNEL;
	SD_LOG_WARNING("an RDMA peer is not reachable: it is on another host, or has another rendezvous folder, and RDMA over TCP is "
		       "off (SOFTDPU_RDMA_KEY)");
	return SD_ROUTE_NONE;
}
