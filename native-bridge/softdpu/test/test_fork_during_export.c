/* fork() while another thread is inside an export: the child can export, too. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"
#include "rendezvous.h"

enum { HELD_NS = 200000000, CHILD_LIMIT_S = 20 };

static uint8_t memory[64];
static struct doca_dev *host;
static atomic_bool is_armed;
static sem_t is_inside, has_forked;

/* Replaces libc's function. The library draws an export's key with its table locked: here, until the fork, or for a while. */
ssize_t getrandom(void *bytes, size_t len, unsigned int flags)
{
	struct timespec limit;

	if (atomic_exchange(&is_armed, false)) {
		CHECK_EQ(sem_post(&is_inside), 0);
		clock_gettime(CLOCK_REALTIME, &limit);
		limit.tv_nsec += HELD_NS;
		limit.tv_sec += limit.tv_nsec / 1000000000;
		limit.tv_nsec %= 1000000000;
		while (sem_timedwait(&has_forked, &limit) != 0 && errno == EINTR)
			;
	}
	return syscall(SYS_getrandom, bytes, len, flags);
}

static void export_map(struct doca_mmap **map)
{
	const void *desc;
	size_t len;

	CHECK_OK(doca_mmap_create(map));
	CHECK_OK(doca_mmap_set_memrange(*map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(*map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(*map, host));
	CHECK_OK(doca_mmap_start(*map));
	CHECK_OK(doca_mmap_export_pci(*map, host, &desc, &len));
}

static void *export_slowly(void *map)
{
	export_map(map);
	return NULL;
}

int main(void)
{
	struct doca_mmap *first, *second, *of_child;
	pthread_t thread;
	int status;
	pid_t child;

#if defined(__SANITIZE_THREAD__)
	SKIP("ThreadSanitizer ends a process that starts a thread after fork()");
#elif defined(__SANITIZE_ADDRESS__)
	SKIP("another thread may hold the lock of AddressSanitizer's allocator at the fork, and the child would wait without an end");
#endif
	make_own_folder();
	CHECK_EQ(sem_init(&is_inside, 0, 0), 0);
	CHECK_EQ(sem_init(&has_forked, 0, 0), 0);
	host = rig_open_device("81:00.0");
	export_map(&first);
	atomic_store(&is_armed, true);
	CHECK_EQ(pthread_create(&thread, NULL, export_slowly, &second), 0);
	CHECK_EQ(sem_wait(&is_inside), 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		alarm(CHILD_LIMIT_S);
		export_map(&of_child);
		CHECK_OK(doca_mmap_destroy(of_child));
		_exit(0);
	}
	CHECK_EQ(sem_post(&has_forked), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	CHECK_OK(doca_mmap_destroy(first));
	CHECK_OK(doca_mmap_destroy(second));
	CHECK_OK(doca_dev_close(host));
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
