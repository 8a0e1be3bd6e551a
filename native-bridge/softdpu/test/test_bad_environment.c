/* An invalid SOFTDPU_* variable prevents every start, until a setter replaces its value. */
#include "doca_log.h"
#include "rig.h"

int main(void)
{
	struct rig rig;

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE));
	setenv("SOFTDPU_FAULTS", "compress-deflate:explode", 1);
	rig_open(&rig, 1);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_INITIALIZATION);
	CHECK_EQ(rig_state(&rig), DOCA_CTX_STATE_IDLE);
	rig_check_states(&rig, 0);
	softdpu_faults_clear();
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_close(&rig);
	return 0;
}
