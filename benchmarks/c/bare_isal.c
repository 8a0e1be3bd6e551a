#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bare.h"
#include "engine.h"
#include "report.h"

#define HUGE_PAGE ((size_t)2 << 20)

enum { DATA = 4, REDUNDANCY = 2, BLOCKS = DATA + REDUNDANCY, TABLE_BYTES = 32, MAX_THREADS = 64, BLOCK_UNIT = 64 };

/* Functions of ISA-L; the program needs neither its header nor its library to build. */
struct isal {
	void (*gen_cauchy)(unsigned char *matrix, int blocks, int data);
	void (*init_tables)(int data, int redundancy, unsigned char *matrix, unsigned char *tables);
	void (*encode)(int len, int data, int redundancy, unsigned char *tables, unsigned char **from, unsigned char **to);
};

struct loop {
	struct isal isal;
	unsigned char tables[TABLE_BYTES * DATA * REDUNDANCY];
	unsigned char *memory; /* window x BLOCKS blocks */
	size_t block_size;
	uint32_t window, threads;
	uint64_t count;
};

struct worker {
	const struct loop *loop;
	uint64_t first; /* number of its first computation */
	pthread_t thread;
};

static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL || report_fault("ISA-L lacks %s", name);
}

static bool load(struct isal *isal)
{
	void *library = dlopen("libisal.so.2", RTLD_NOW); /* stays loaded */

	return (library != NULL || report_fault("dlopen: %s (install libisal2)", dlerror())) &&
	       find(library, "gf_gen_cauchy1_matrix", &isal->gen_cauchy) && find(library, "ec_init_tables", &isal->init_tables) &&
	       find(library, "ec_encode_data", &isal->encode);
}

static void compute(const struct loop *loop, uint64_t number)
{
	unsigned char *blocks[BLOCKS];
	unsigned char *base = loop->memory + number % loop->window * BLOCKS * loop->block_size;

	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = base + (size_t)i * loop->block_size;
	loop->isal.encode((int)loop->block_size, DATA, REDUNDANCY, (unsigned char *)loop->tables, blocks, blocks + DATA);
}

static void *work(void *argument)
{
	const struct worker *worker = argument;

	for (uint64_t number = worker->first; number < worker->loop->count; number += worker->loop->threads)
		compute(worker->loop, number);
	return NULL;
}

static bool run(const struct loop *loop)
{
	struct worker workers[MAX_THREADS];
	uint32_t started;

	for (started = 0; started < loop->threads; started++) {
		workers[started] = (struct worker){ .loop = loop, .first = started };
		if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
			break;
	}
	for (uint32_t i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	return started == loop->threads || report_fault("pthread_create: thread %u", started);
}

/* Huge pages, as the tasks of the device have. */
static unsigned char *map_memory(size_t len)
{
	unsigned char *memory;

	len = (len + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	memory = aligned_alloc(HUGE_PAGE, len);
	if (memory == NULL)
		return NULL;
	madvise(memory, len, MADV_HUGEPAGE); /* without huge pages, small ones are used */
	return memset(memory, 1, len);
}

bool bare_isal(uint64_t size, uint32_t window, uint64_t count, uint64_t *elapsed_ns)
{
	struct loop loop = { .block_size = size / DATA, .window = window, .threads = bare_threads(), .count = count };
	unsigned char matrix[BLOCKS * DATA];
	uint64_t begin_ns;
	bool done;

	if (size % (DATA * BLOCK_UNIT) != 0)
		return report_fault("%llu bytes are not %d blocks of a multiple of %d bytes", (unsigned long long)size, DATA, BLOCK_UNIT);
	if (!load(&loop.isal))
		return false;
	if (loop.threads > MAX_THREADS)
		loop.threads = MAX_THREADS;
	loop.isal.gen_cauchy(matrix, BLOCKS, DATA);
	loop.isal.init_tables(DATA, REDUNDANCY, matrix + DATA * DATA, loop.tables);
	loop.memory = map_memory(window * BLOCKS * loop.block_size);
	if (loop.memory == NULL)
		return report_system("aligned_alloc", "blocks");
	begin_ns = engine_clock_ns();
	done = run(&loop);
	*elapsed_ns = engine_clock_ns() - begin_ns;
	free(loop.memory);
	return done;
}
