/* An unknown role: devices can be listed, no context starts. */
#include "doca_log.h"
#include "rig.h"

int main(void)
{
	struct rig rig;

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE));
	setenv("SOFTDPU_ROLE", "Host", 1);
	rig_open(&rig, 1);
	CHECK_ERROR(doca_ctx_start(rig.ctx), DOCA_ERROR_INITIALIZATION);
	rig_close(&rig);
	return 0;
}
