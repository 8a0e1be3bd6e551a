/* Every error has a name and a description; every other number has a text, too. */
#include <string.h>

#include "check.h"

int main(void)
{
	int code, other;

	CHECK(strcmp(doca_error_get_name(DOCA_SUCCESS), "DOCA_SUCCESS") == 0);
	CHECK(strcmp(doca_error_get_name(DOCA_ERROR_IO_FAILED), "DOCA_ERROR_IO_FAILED") == 0);
	CHECK(strcmp(doca_error_get_name(DOCA_ERROR_DEVICE_FATAL_ERROR), "DOCA_ERROR_DEVICE_FATAL_ERROR") == 0);
	for (code = DOCA_SUCCESS; code <= DOCA_ERROR_DEVICE_FATAL_ERROR; code++) {
		CHECK(strstr(doca_error_get_name((doca_error_t)code), "NOT_RECOGNISED") == NULL);
		CHECK(strlen(doca_error_get_descr((doca_error_t)code)) > 0);
		for (other = DOCA_SUCCESS; other < code; other++) {
			CHECK(strcmp(doca_error_get_name((doca_error_t)code), doca_error_get_name((doca_error_t)other)) != 0);
			CHECK(strcmp(doca_error_get_descr((doca_error_t)code), doca_error_get_descr((doca_error_t)other)) != 0);
		}
	}
	CHECK(strlen(doca_error_get_name((doca_error_t)32)) > 0);
	CHECK(strlen(doca_error_get_descr((doca_error_t)-1)) > 0);
	CHECK(strlen(doca_error_get_name((doca_error_t)0x7fffffff)) > 0);
	return 0;
}
