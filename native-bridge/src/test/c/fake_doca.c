/*
 * Libraries with DOCA's names: those of an installation without a device, and of one that lacks most functions.
 * Built by InstalledLibrariesTest, doca_common without options and doca_compress with -DCOMPRESS; -DDEVICES=1 shows one
 * device.
 */
#include <stdint.h>
#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 4, NOT_FOUND = 16 };

#ifdef COMPRESS

int doca_compress_create(void *dev, void **compress)
{
	(void)dev;
	(void)compress;
	return NOT_SUPPORTED;
}

int doca_compress_destroy(void *compress)
{
	(void)compress;
	return SUCCESS;
}

void *doca_compress_as_ctx(void *compress)
{
	return compress;
}

#else

#ifndef DEVICES
#define DEVICES 0
#endif

static int only;
static void *devices[1] = { &only };

int doca_devinfo_create_list(void ***list, uint32_t *count)
{
	if (DEVICES == 0)
		return NOT_FOUND;
	*list = devices;
	*count = DEVICES;
	return SUCCESS;
}

int doca_devinfo_destroy_list(void **list)
{
	(void)list;
	return SUCCESS;
}

int doca_devinfo_get_pci_addr_str(const void *devinfo, char *text)
{
	(void)devinfo;
	strcpy(text, "0000:3a:00.0");
	return SUCCESS;
}

const char *doca_version_runtime(void)
{
	return "2.9.0";
}

const char *doca_error_get_name(int error)
{
	(void)error;
	return "fake";
}

const char *doca_error_get_descr(int error)
{
	(void)error;
	return "fake";
}

uint8_t doca_pe_progress(void *pe)
{
	(void)pe;
	return 0;
}

#define NOT_HERE(function)            \
	int function(void);           \
	int function(void)            \
	{                             \
		return NOT_SUPPORTED; \
	}

NOT_HERE(doca_buf_dec_refcount)
NOT_HERE(doca_buf_get_data_len)
NOT_HERE(doca_buf_inventory_buf_get_by_args)
NOT_HERE(doca_buf_inventory_create)
NOT_HERE(doca_buf_reset_data_len)
NOT_HERE(doca_buf_set_data)
NOT_HERE(doca_ctx_get_state)
NOT_HERE(doca_ctx_set_state_changed_cb)
NOT_HERE(doca_ctx_set_user_data)
NOT_HERE(doca_ctx_start)
NOT_HERE(doca_ctx_stop)
NOT_HERE(doca_dev_as_devinfo)
NOT_HERE(doca_dev_close)
NOT_HERE(doca_dev_open)
NOT_HERE(doca_mmap_create)
NOT_HERE(doca_mmap_start)
NOT_HERE(doca_pe_clear_notification)
NOT_HERE(doca_pe_connect_ctx)
NOT_HERE(doca_pe_create)
NOT_HERE(doca_pe_destroy)
NOT_HERE(doca_pe_get_notification_handle)
NOT_HERE(doca_pe_request_notification)
NOT_HERE(doca_task_free)
NOT_HERE(doca_task_get_status)
#ifndef LACKS_SUBMIT
NOT_HERE(doca_task_submit)
#endif

#endif
