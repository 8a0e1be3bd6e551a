/* Without ISA-L, libdeflate compresses at every level. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static int num_isal;

/* Takes the place of the C library's function: no library can be loaded. */
void *dlopen(const char *name, int flags)
{
	(void)flags;
	num_isal += strcmp(name, "libisal.so.2") == 0;
	return NULL;
}

int test_codec(void);

#define main test_codec
#include "test_compress_deflate.c"
#undef main

int main(void)
{
	int status = test_codec();

	CHECK_EQ(num_isal, 1);
	return status;
}
