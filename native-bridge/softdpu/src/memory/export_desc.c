#include "export_desc.h"

#include <string.h>
#include <unistd.h>

#include "sd_dev.h"
#include "sd_fnv.h"

static uint64_t check_value(const struct export_desc *desc)
{
	return sd_fnv(SD_FNV_START, desc, offsetof(struct export_desc, check));
}

uint32_t export_desc_kind_of(const struct doca_dev *dev)
{
	return sd_devinfo_is_dpu_side(doca_dev_as_devinfo(dev)) ? EXPORT_DESC_KIND_DPU : EXPORT_DESC_KIND_HOST;
}

void export_desc_write(struct export_desc *desc, const struct export *export, const struct doca_dev *dev)
{
	const struct export_identity *identity = export_identity();
	uint16_t vhca_id = 0;

	(void)doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &vhca_id);
	*desc = (struct export_desc){
		.magic = EXPORT_DESC_MAGIC,
		.version = EXPORT_DESC_VERSION,
		.size = sizeof(*desc),
		.kind = export_desc_kind_of(dev),
		.vhca_id = vhca_id,
		.pid = (uint32_t)identity->pid,
		.uid = (uint32_t)geteuid(),
		.start_time = identity->start_time,
		.cookie = identity->cookie,
		.generation = export->generation,
		.addr = export->addr,
		.len = export->len,
		.slot = export->slot,
		.permissions = export->permissions,
	};
	desc->check = check_value(desc);
}

uint8_t export_desc_read(struct export_desc *desc, const void *bytes, size_t len)
{
	uint64_t end;

	if (len != sizeof(*desc))
		return 0;
	memcpy(desc, bytes, sizeof(*desc));
	if (desc->magic != EXPORT_DESC_MAGIC || desc->version != EXPORT_DESC_VERSION || desc->size != sizeof(*desc) ||
	    desc->check != check_value(desc) || (desc->kind != EXPORT_DESC_KIND_HOST && desc->kind != EXPORT_DESC_KIND_DPU))
		return 0;
	if (desc->pid == 0 || desc->pid > INT32_MAX || desc->uid != (uint32_t)geteuid())
		return 0;
	return desc->slot < GUARD_SLOTS && desc->generation != 0 && desc->addr != 0 && desc->len != 0 &&
	       !__builtin_add_overflow(desc->addr, desc->len, &end);
}
