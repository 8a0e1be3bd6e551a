/* Same for an invalid number. */
#include "doca_log.h"
#include "rig.h"

int main(void)
{
	struct rig rig;

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE));
	setenv("SOFTDPU_SEED", " -1", 1);
	rig_open(&rig, 1);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_INITIALIZATION);
	CHECK_OK(doca_compress_destroy(rig.compress));
	rig_close_rest(&rig);
	return 0;
}
