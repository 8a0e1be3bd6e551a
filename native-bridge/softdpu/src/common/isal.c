/* Loads ISA-L once. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "sd_isal.h"
#include "sd_log.h"

static void *library;

static void load(void)
{
	const char *reason;

	library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
	if (library != NULL)
		return;
	reason = dlerror();
	SD_LOG_INFO("without ISA-L (install libisal2) there is no erasure coding, and deflate is slower: %s",
		    reason == NULL ? "not loaded" : reason);
}

uint8_t sd_isal_find(const char *name, void **function)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (library == NULL)
		return 0;
	*function = dlsym(library, name);
	if (*function == NULL)
		SD_LOG_INFO("ISA-L is not used: it lacks %s", name);
	return *function != NULL;
}
