/* Tasks from a source to a destination with an object of their library: a matrix, or a key and its parameters. */
#include "base/symbols.h"
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_by_object)(void *context, const void *object, const struct doca_buf *src, struct doca_buf *dst,
			       union doca_data user_data, void **task);
typedef void (*object_setter)(void *task, const void *object);

enum { SET_OBJECT };

static const void *object_of(const struct dpubridge_entry *entry)
{
	return (const void *)(uintptr_t)entry->argument;
}

static int32_t prepare_object(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	return entry->argument != 0 ? bridge_transform_prepare(pool, entry) : DOCA_ERROR_INVALID_VALUE;
}

static int32_t alloc_object(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			    void **task)
{
	return ((alloc_by_object)pool->kind->call.alloc_init)(pool->object, object_of(entry), bridge_buf(entry->src_buf),
							      bridge_buf(entry->dst_buf), user_data, task);
}

static int32_t refill_object(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	((object_setter)kind->call.extra[SET_OBJECT])(task, object_of(entry));
	return bridge_transform_refill(kind, task, entry);
}

const struct bridge_shape bridge_shape_object = {
	.extra = { [SET_OBJECT] = "set_object" },
	.prepare = prepare_object,
	.alloc = alloc_object,
	.refill = refill_object,
	.has_destination = true,
	.takes_batches = true,
};

enum { SET_KEY, SET_IV, SET_TAG_SIZE, SET_AAD_SIZE };

typedef int (*alloc_aead)(void *context, const struct doca_buf *src, struct doca_buf *dst, void *key, const uint8_t *iv,
			  uint32_t iv_length, uint32_t tag_size, uint32_t aad_size, union doca_data user_data, void **task);
typedef void (*key_setter)(void *task, void *key);
typedef void (*iv_setter)(void *task, const uint8_t *iv, uint32_t iv_length);
typedef void (*size_setter)(void *task, uint32_t size);

static const struct dpubridge_aead *aead_of(const struct dpubridge_entry *entry)
{
	return (const struct dpubridge_aead *)(uintptr_t)entry->argument;
}

static void *key_of(const struct dpubridge_aead *aead)
{
	return (void *)(uintptr_t)aead->key;
}

/* A device reports illegal parameters of a re-used task as a failure only, because its setters have no result. */
static int32_t prepare_aead(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	const struct dpubridge_aead *aead = aead_of(entry);

	if (aead == NULL || aead->key == 0 || aead->iv_length == 0 || aead->iv_length > sizeof(aead->iv) ||
	    (aead->tag_size != 12 && aead->tag_size != 16))
		return DOCA_ERROR_INVALID_VALUE;
	return bridge_transform_prepare(pool, entry);
}

static int32_t alloc_by_key(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			    void **task)
{
	const struct dpubridge_aead *aead = aead_of(entry);

	return ((alloc_aead)pool->kind->call.alloc_init)(pool->object, bridge_buf(entry->src_buf), bridge_buf(entry->dst_buf),
							 key_of(aead), aead->iv, aead->iv_length, aead->tag_size,
							 aead->aad_size, user_data, task);
}

static int32_t refill_aead(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	const struct dpubridge_aead *aead = aead_of(entry);

	((key_setter)kind->call.extra[SET_KEY])(task, key_of(aead));
	((iv_setter)kind->call.extra[SET_IV])(task, aead->iv, aead->iv_length);
	((size_setter)kind->call.extra[SET_TAG_SIZE])(task, aead->tag_size);
	((size_setter)kind->call.extra[SET_AAD_SIZE])(task, aead->aad_size);
	return bridge_transform_refill(kind, task, entry);
}

const struct bridge_shape bridge_shape_aead = {
	.extra = { [SET_KEY] = "set_key", [SET_IV] = "set_iv", [SET_TAG_SIZE] = "set_tag_size", [SET_AAD_SIZE] = "set_aad_size" },
	.prepare = prepare_aead,
	.alloc = alloc_by_key,
	.refill = refill_aead,
	.has_destination = true,
	.takes_batches = true,
};
