/* Faults on reports of states: lost, late and doubled ones. The context is in its state at once, in each case. */
#include <poll.h>

#include "dma.h"

enum { IDLE = DOCA_CTX_STATE_IDLE, RUNNING = DOCA_CTX_STATE_RUNNING, STOPPING = DOCA_CTX_STATE_STOPPING, LATE_NS = 5000000 };

static struct doca_dev *dev;
static struct doca_mmap *map;
static uint8_t memory[2][256];

static void open_map(void)
{
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
}

/* Checks the reports since the last call: their number, then the states. */
static void reported(struct dma *dma, int count, ...)
{
	va_list expected;

	CHECK_EQ(dma->num_states, count);
	va_start(expected, count);
	for (int i = 0; i < count; i++)
		CHECK_EQ(dma->states[i], va_arg(expected, int));
	va_end(expected);
	dma->num_states = 0;
}

static void progress(struct dma *dma)
{
	while (doca_pe_progress(dma->pe))
		;
}

/* Opens and starts a context under a plan; nothing may have been reported before. */
static void start(struct dma *dma, const char *plan)
{
	CHECK_OK(softdpu_faults_set(plan));
	dma_open(dma, dev, 4);
	CHECK_OK(doca_ctx_start(dma->ctx));
	CHECK_EQ(dma_state(dma), RUNNING);
}

/* Runs one copy, which the plan fails. A failed copy stops the context. */
static void fail_copy(struct dma *dma)
{
	CHECK_ERROR(dma_copy(dma, dma_source(dma, map, memory[0], 256), dma_room(dma, map, memory[1], 256)),
		    DOCA_ERROR_IO_FAILED);
	CHECK_EQ(dma_state(dma), IDLE);
}

static void grammar(void)
{
	static const char *const bad[] = { "ctx-event:fail", "ctx-event:again", "ctx-event:corrupt", "ctx-event:down", "ctx-event:drop" };

	CHECK_OK(softdpu_faults_set("ctx-event:lost:nth=2 ; ctx-event:delay=1ms:p=0.5 ; ctx-event:twice"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_ERROR(softdpu_faults_set(bad[i]), DOCA_ERROR_INVALID_VALUE);
}

/* Each change counts, also that of a context that stops by itself. */
static void lost(void)
{
	struct dma dma;
	uint64_t fired[2];

	start(&dma, "dma-memcpy:fail ; ctx-event:lost:nth=2");
	fail_copy(&dma);
	progress(&dma);
	reported(&dma, 2, RUNNING, IDLE);
	CHECK_EQ(softdpu_faults_get_fired(fired, 2), 2);
	CHECK_EQ(fired[1], 1);
	dma_close(&dma);

	start(&dma, "*:lost ; *:twice"); /* of tasks */
	CHECK_OK(doca_ctx_stop(dma.ctx));
	progress(&dma);
	reported(&dma, 2, RUNNING, IDLE);
	dma_close(&dma);
}

/* The second report comes in the next progress, before the other reports of the context. */
static void twice(void)
{
	struct dma dma;

	start(&dma, "dma-memcpy:fail ; ctx-event:twice");
	reported(&dma, 1, RUNNING);
	CHECK_EQ(doca_pe_progress(dma.pe), 1);
	reported(&dma, 1, RUNNING);
	fail_copy(&dma);
	progress(&dma);
	reported(&dma, 4, STOPPING, STOPPING, IDLE, IDLE);

	softdpu_faults_clear();
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(softdpu_faults_set("ctx-event:twice"));
	CHECK_OK(doca_ctx_stop(dma.ctx));
	dma_close(&dma); /* destroys the context while a report waits */
	reported(&dma, 2, RUNNING, IDLE);
}

static int is_signalled(struct dma *dma)
{
	struct pollfd fd = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(dma->pe, &fd.fd));
	return poll(&fd, 1, 0) == 1;
}

/* On a manual clock: the time of a report is exact, and the following reports wait behind it. */
static void late_at_its_time(void)
{
	struct dma dma;

	softdpu_clock_set_manual(1);
	start(&dma, "ctx-event:delay=5ms:nth=1");
	CHECK_EQ(softdpu_clock_get_next(), softdpu_clock_now() + LATE_NS);
	CHECK_OK(softdpu_clock_advance(LATE_NS - 1));
	CHECK_EQ(doca_pe_progress(dma.pe), 0);
	reported(&dma, 0);
	CHECK_OK(doca_ctx_stop(dma.ctx));
	CHECK_EQ(dma_state(&dma), IDLE);
	reported(&dma, 0);
	CHECK_OK(doca_pe_request_notification(dma.pe));
	CHECK(!is_signalled(&dma));
	CHECK_OK(softdpu_clock_advance(1));
	CHECK(is_signalled(&dma));
	CHECK_OK(doca_pe_clear_notification(dma.pe, 0));
	CHECK_EQ(doca_pe_progress(dma.pe), 1);
	reported(&dma, 1, RUNNING);
	CHECK_EQ(doca_pe_progress(dma.pe), 1);
	reported(&dma, 1, IDLE);
	CHECK_EQ(doca_pe_progress(dma.pe), 0);
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
	dma_close(&dma);
	softdpu_clock_set_manual(0);
}

/* A report wakes a sleeping program in both execution modes. */
static void late_wakes(void)
{
	struct softdpu_fault_counters counters;
	struct dma dma;

	start(&dma, "ctx-event:delay=5ms");
	reported(&dma, 0);
	CHECK_OK(doca_pe_request_notification(dma.pe));
	CHECK(is_signalled(&dma));
	CHECK_OK(doca_pe_clear_notification(dma.pe, 0));
	RIG_PROGRESS_UNTIL(dma.pe, dma.num_states > 0);
	reported(&dma, 1, RUNNING);
	CHECK_OK(doca_pe_request_notification(dma.pe));
	CHECK(!is_signalled(&dma));
	CHECK_OK(doca_pe_clear_notification(dma.pe, 0));
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.delayed, 1);
	dma_close(&dma); /* destroys the context while its IDLE waits */
	reported(&dma, 0);
}

static void run(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	lost();
	twice();
	late_wakes();
}

int main(void)
{
	grammar();
	dev = rig_open_device("0000:03:00.0");
	open_map();
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	late_at_its_time();
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
