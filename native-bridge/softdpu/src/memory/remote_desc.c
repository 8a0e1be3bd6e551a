#include "remote_desc.h"

#include <string.h>
#include <unistd.h>

#include "export.h"

/* Hashes by FNV-1a: a change of any one byte changes the result. */
static uint64_t check_value(const struct remote_desc *desc)
{
	const uint8_t *bytes = (const uint8_t *)desc;
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < offsetof(struct remote_desc, check); i++)
		value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
	return value;
}

void remote_desc_write(struct remote_desc *desc, const struct export *export, uint16_t vhca_id)
{
	*desc = (struct remote_desc){
		.magic = REMOTE_DESC_MAGIC,
		.version = REMOTE_DESC_VERSION,
		.size = sizeof(*desc),
		.key = export->key,
		.addr = export->addr,
		.len = export->len,
		.generation = export->generation,
		.slot = export->slot,
		.permissions = export->permissions,
		.pid = (uint32_t)getpid(),
		.vhca_id = vhca_id,
	};
	desc->check = check_value(desc);
}

uint8_t remote_desc_is(const void *bytes, size_t len)
{
	const uint64_t magic = REMOTE_DESC_MAGIC;

	return len >= sizeof(magic) && memcmp(bytes, &magic, sizeof(magic)) == 0;
}

uint8_t remote_desc_read(struct remote_desc *desc, const void *bytes, size_t len)
{
	if (len != sizeof(*desc))
		return 0;
	memcpy(desc, bytes, sizeof(*desc));
	return desc->magic == REMOTE_DESC_MAGIC && desc->version == REMOTE_DESC_VERSION && desc->size == sizeof(*desc) &&
	       desc->check == check_value(desc);
}
