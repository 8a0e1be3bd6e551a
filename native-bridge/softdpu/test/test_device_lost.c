/* A lost device: all its started contexts, on any engine, stop; contexts of other devices continue. */
#include "rig.h"

struct neighbour {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_compress *compress;
};

static struct neighbour open_neighbour(const char *pci_addr)
{
	struct neighbour neighbour;

	neighbour.dev = rig_open_device(pci_addr);
	CHECK_OK(doca_pe_create(&neighbour.pe));
	CHECK_OK(doca_compress_create(neighbour.dev, &neighbour.compress));
	CHECK_OK(doca_pe_connect_ctx(neighbour.pe, doca_compress_as_ctx(neighbour.compress)));
	CHECK_OK(doca_ctx_start(doca_compress_as_ctx(neighbour.compress)));
	return neighbour;
}

static enum doca_ctx_states state_of(struct neighbour *neighbour)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(doca_compress_as_ctx(neighbour->compress), &state));
	return state;
}

static void close_neighbour(struct neighbour *neighbour)
{
	CHECK_OK(doca_ctx_stop(doca_compress_as_ctx(neighbour->compress)));
	CHECK_OK(doca_compress_destroy(neighbour->compress));
	CHECK_OK(doca_pe_destroy(neighbour->pe));
	CHECK_OK(doca_dev_close(neighbour->dev));
}

static void run(enum softdpu_execution execution)
{
	struct rig rig;
	struct neighbour same, other;

	CHECK_OK(softdpu_set_execution(execution));
	CHECK_OK(softdpu_faults_set("compress-deflate:lost:nth=3"));
	rig_open(&rig, 16);
	same = open_neighbour("0000:03:00.0"); /* opened again, another engine */
	other = open_neighbour("0000:03:00.1");
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (uint64_t i = 0; i < 10; i++)
		rig_submit(&rig, i);
	RIG_PROGRESS_UNTIL(rig.pe, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	rig_check_states(&rig, 3, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig.completed + rig.failed, 10);
	CHECK(rig.failed >= 8); /* the lost task and those behind it; the first two may have ended already */
	RIG_PROGRESS_UNTIL(same.pe, state_of(&same) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(doca_pe_progress(other.pe), 0);
	CHECK_EQ(state_of(&other), DOCA_CTX_STATE_RUNNING);

	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_INITIALIZATION); /* lost for this context, */
	CHECK_OK(doca_compress_destroy(rig.compress));
	rig_create_context(&rig); /* not for a new one */
	CHECK_OK(RIG_CONFIGURE(&rig, compress_deflate, 4));
	CHECK_OK(doca_ctx_start(rig.ctx));
	close_neighbour(&same);
	close_neighbour(&other);
	rig_close(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
