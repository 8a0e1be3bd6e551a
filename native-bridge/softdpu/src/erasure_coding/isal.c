/* Finds the functions of ISA-L once. */
#include <pthread.h>

#include "sd_ec.h"
#include "sd_isal.h"

static struct sd_ec_isal functions;
static uint8_t is_complete;

static void find_all(void)
{
	is_complete = sd_isal_find("gf_mul", (void **)&functions.mul) && sd_isal_find("gf_inv", (void **)&functions.inv) &&
		      sd_isal_find("gf_invert_matrix", (void **)&functions.invert_matrix) &&
		      sd_isal_find("ec_init_tables", (void **)&functions.init_tables) &&
		      sd_isal_find("ec_encode_data", (void **)&functions.encode_data);
}

const struct sd_ec_isal *sd_ec_isal(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_all);
	return is_complete ? &functions : NULL;
}
