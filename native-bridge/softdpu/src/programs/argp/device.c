/* Finds devices and representors by the names that users write. */
#include <string.h>

#include "doca_dev.h"
#include "sd_argp.h"

enum { NAME = 256 };

/* Returns the text up to the first comma. *rest is the text after it, or NULL without a comma. */
static char *cut_at_comma(char *text, char **rest)
{
	*rest = strchr(text, ',');
	if (*rest != NULL)
		*(*rest)++ = '\0';
	return text;
}

static const char *without_bus(const char *text)
{
	return strncmp(text, "pci/", 4) == 0 ? text + 4 : text;
}

static uint8_t is_device(const struct doca_devinfo *info, const char *text)
{
	char name[NAME];
	uint8_t is_equal = 0;

	if (doca_devinfo_is_equal_pci_addr(info, without_bus(text), &is_equal) == DOCA_SUCCESS && is_equal)
		return 1;
	if (doca_devinfo_get_ibdev_name(info, name, sizeof(name)) == DOCA_SUCCESS && strcmp(name, text) == 0)
		return 1;
	return doca_devinfo_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS && strcmp(name, text) == 0;
}

static doca_error_t open_one(struct doca_devinfo *info, struct doca_dev **dev)
{
	const struct argp_parser *parser = argp_parser();

	return parser->open_device == NULL ? doca_dev_open(info, dev) : parser->open_device(info, parser->open_context, dev);
}

static doca_error_t open_device(const char *text, struct doca_dev **dev)
{
	struct doca_devinfo **list;
	uint32_t count;
	doca_error_t result = doca_devinfo_create_list(&list, &count);

	if (result != DOCA_SUCCESS)
		return result;
	result = DOCA_ERROR_NOT_FOUND;
	for (uint32_t i = 0; i < count && result == DOCA_ERROR_NOT_FOUND; i++)
		if (is_device(list[i], text))
			result = open_one(list[i], dev);
	(void)doca_devinfo_destroy_list(list); /* cannot fail: this function created the list */
	if (result != DOCA_SUCCESS)
		ARGP_ERROR("device \"%s\": %s", text, doca_error_get_descr(result));
	return result;
}

doca_error_t argp_open_device(char *text, struct doca_argp_device_ctx *device)
{
	char *rest;
	doca_error_t result = open_device(cut_at_comma(text, &rest), &device->dev);

	device->devargs = rest;
	return result;
}

static uint8_t is_representor(const struct doca_devinfo_rep *info, const char *text)
{
	char name[NAME];
	uint8_t is_equal = 0;

	if (doca_devinfo_rep_is_equal_pci_addr(info, without_bus(text), &is_equal) == DOCA_SUCCESS && is_equal)
		return 1;
	return doca_devinfo_rep_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS && strcmp(name, text) == 0;
}

static doca_error_t open_representor(struct doca_dev *dev, const char *text, struct doca_dev_rep **rep)
{
	struct doca_devinfo_rep **list;
	uint32_t count;
	doca_error_t result = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &count);

	if (result == DOCA_SUCCESS) {
		result = DOCA_ERROR_NOT_FOUND;
		for (uint32_t i = 0; i < count && result == DOCA_ERROR_NOT_FOUND; i++)
			if (is_representor(list[i], text))
				result = doca_dev_rep_open(list[i], rep);
		(void)doca_devinfo_rep_destroy_list(list);
	}
	if (result != DOCA_SUCCESS)
		ARGP_ERROR("representor \"%s\": %s", text, doca_error_get_descr(result));
	return result;
}

doca_error_t argp_open_representor(char *text, struct doca_argp_device_rep_ctx *representor)
{
	char *name, *rest;
	doca_error_t result;

	cut_at_comma(text, &name);
	if (name == NULL) {
		ARGP_ERROR("\"%s\" names no representor: DEVICE,REPRESENTOR", text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	cut_at_comma(name, &rest);
	result = open_device(text, &representor->dev_ctx.dev);
	if (result != DOCA_SUCCESS)
		return result;
	result = open_representor(representor->dev_ctx.dev, name, &representor->dev_rep);
	if (result != DOCA_SUCCESS)
		(void)doca_dev_close(representor->dev_ctx.dev); /* cannot fail: the device has no user yet */
	representor->dev_ctx.devargs = rest;
	return result;
}
