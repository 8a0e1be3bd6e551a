#include "remote_desc.h"

#include <string.h>
#include <unistd.h>

#include "export_desc.h"
#include "sd_fnv.h"

static uint64_t check_value(const struct remote_desc *desc)
{
	return sd_fnv(SD_FNV_START, desc, offsetof(struct remote_desc, check));
}

void remote_desc_write(struct remote_desc *desc, uint64_t magic, const struct export *export, uint16_t vhca_id)
{
	const struct export_identity *identity = export_identity();

	*desc = (struct remote_desc){
		.magic = magic,
		.version = REMOTE_DESC_VERSION,
		.size = sizeof(*desc),
		.key = export->key,
		.addr = export->addr,
		.len = export->len,
		.generation = export->generation,
		.slot = export->slot,
		.permissions = export->permissions,
		.pid = (uint32_t)identity->pid,
		.vhca_id = vhca_id,
		.start_time = identity->start_time,
		.cookie = identity->cookie,
	};
	sd_endpoint_own(&desc->endpoint);
	desc->check = check_value(desc);
}

uint8_t remote_desc_is_map(const void *bytes, size_t len)
{
	const uint64_t magic = REMOTE_DESC_MAP;

	return len >= sizeof(magic) && memcmp(bytes, &magic, sizeof(magic)) == 0;
}

uint8_t remote_desc_read(struct remote_desc *desc, uint64_t magic, const void *bytes, size_t len)
{
	uint64_t end;

	if (len != sizeof(*desc))
		return 0;
	memcpy(desc, bytes, sizeof(*desc));
	if (desc->magic != magic || desc->version != REMOTE_DESC_VERSION || desc->size != sizeof(*desc) ||
	    desc->check != check_value(desc) || desc->pid == 0 || desc->pid > INT32_MAX)
		return 0;
	return desc->slot < GUARD_SLOTS && desc->generation != 0 && desc->key != 0 && desc->addr != 0 && desc->len != 0 &&
	       !__builtin_add_overflow(desc->addr, desc->len, &end);
}

struct export_desc remote_desc_claim(const struct remote_desc *desc)
{
	return (struct export_desc){
		.pid = desc->pid,
		.start_time = desc->start_time,
		.cookie = desc->cookie,
		.generation = desc->generation,
		.addr = desc->addr,
		.len = desc->len,
		.slot = desc->slot,
		.permissions = desc->permissions,
	};
}
