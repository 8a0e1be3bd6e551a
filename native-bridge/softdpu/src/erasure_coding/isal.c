/* Loads ISA-L once. */
#include <dlfcn.h>
#include <pthread.h>

#include "sd_ec.h"
#include "sd_log.h"

static struct sd_ec_isal functions;
static uint8_t is_loaded;

static uint8_t find(void *library, const char *name, void **function)
{
	*function = dlsym(library, name);
	return *function != NULL;
}

static void load(void)
{
	void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
	const char *reason;

	is_loaded = library != NULL && find(library, "gf_mul", (void **)&functions.mul) &&
		    find(library, "gf_inv", (void **)&functions.inv) &&
		    find(library, "gf_invert_matrix", (void **)&functions.invert_matrix) &&
		    find(library, "ec_init_tables", (void **)&functions.init_tables) &&
		    find(library, "ec_encode_data", (void **)&functions.encode_data);
	if (is_loaded)
		return;
	reason = dlerror();
	SD_LOG_INFO("no erasure coding without ISA-L (install libisal2): %s", reason == NULL ? "not loaded" : reason);
	if (library != NULL)
		dlclose(library);
}

const struct sd_ec_isal *sd_ec_isal(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return is_loaded ? &functions : NULL;
}
