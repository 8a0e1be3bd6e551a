/*
 * While one exporter does not answer, another thread imports from another exporter, and from the same one. Imports while signals
 * arrive.
 */
#include <pthread.h>

#include "exporter.h"
#include "held_poll.h"
#include "rendezvous.h"

static const uint64_t LATE_NS = UINT64_C(15000000000);

static struct exporter silent, honest;
static struct doca_dev *devs[2];		/* of the two threads */

static struct doca_mmap *import_from(const struct exporter *exporter, struct doca_dev *dev)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create_from_export(NULL, exporter->desc, exporter->desc_len, dev, &map));
	return map;
}

static void *import_slowly(void *map)
{
	hold_poll(HELD_REQUEST, LATE_NS);
	*(struct doca_mmap **)map = import_from(&silent, devs[1]);
	return NULL;
}

static void import_beside(const struct exporter *exporter)
{
	int before = count_descriptors();
	struct doca_mmap *slow, *map;
	pthread_t thread;

	CHECK_EQ(pthread_create(&thread, NULL, import_slowly, &slow), 0);
	await_held_poll();
	map = import_from(exporter, devs[0]);
	CHECK(!atomic_load(&poll_is_late));
	release_poll();
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_OK(doca_mmap_destroy(slow));
	slow = import_from(exporter, devs[1]); /* by the same connection */
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_mmap_destroy(slow));
	CHECK_EQ(count_descriptors(), before);
}

/* A signal handler of the program does not end the wait for the exporter. */
static void import_during_signals(void)
{
	struct doca_mmap *map;

	interrupt_polls(3);
	map = import_from(&honest, devs[0]);
	CHECK_EQ(poll_interruptions, 0);
	CHECK_OK(doca_mmap_destroy(map));
}

int main(int argc, char **argv)
{
	exporter_main(argc, argv);
	CHECK_EQ(sem_init(&poll_is_held, 0, 0), 0);
	CHECK_EQ(sem_init(&poll_may_continue, 0, 0), 0);
	exporter_folder();
	for (int i = 0; i < 2; i++)
		devs[i] = rig_open_device("03:00.0");
	exporter_start(&silent);
	exporter_start(&honest);
	exporter_share(&silent, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	exporter_share(&honest, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	import_beside(&honest);
	import_beside(&silent);
	import_during_signals();
	exporter_quit(&silent);
	exporter_quit(&honest);
	for (int i = 0; i < 2; i++)
		CHECK_OK(doca_dev_close(devs[i]));
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
