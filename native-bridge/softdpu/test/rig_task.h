/* Buffers and tasks on the memory of a rig; part of rig.h. */
#ifndef RIG_TASK_H
#define RIG_TASK_H

#include "rig.h"

/* Returns a buffer whose content is [offset, offset + len) of the memory. */
RIG struct doca_buf *rig_source(struct rig *rig, size_t offset, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(rig->inventory, rig->map, rig->memory + offset, len, &buf));
	return buf;
}

/* Returns an empty buffer over [offset, offset + len) of the memory. */
RIG struct doca_buf *rig_room(struct rig *rig, size_t offset, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->memory + offset, len, &buf));
	return buf;
}

RIG void rig_drop(struct doca_buf *buf)
{
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

RIG size_t rig_data_len(const struct doca_buf *buf)
{
	size_t len;

	CHECK_OK(doca_buf_get_data_len(buf, &len));
	return len;
}

/* Allocates a deflate task on slot n of the memory: 256 bytes of source, 512 bytes of destination; its user data is n. */
RIG doca_error_t rig_alloc(struct rig *rig, uint64_t n, struct doca_task **task)
{
	struct doca_compress_task_compress_deflate *created;
	size_t offset = n * RIG_SLOT % RIG_MEMORY;
	struct doca_buf *src = rig_source(rig, offset, 256);
	struct doca_buf *dst = rig_room(rig, offset + 512, 512);
	union doca_data data = { .u64 = n };
	doca_error_t result;

	result = doca_compress_task_compress_deflate_alloc_init(rig->compress, src, dst, data, &created);
	if (result == DOCA_SUCCESS)
		*task = doca_compress_task_compress_deflate_as_task(created);
	else {
		rig_drop(src);
		rig_drop(dst);
	}
	return result;
}

/* Releases the buffers of a rig_alloc() task; its memory stays readable after a free. */
RIG void rig_drop_buffers(struct doca_task *task)
{
	struct doca_compress_task_compress_deflate *deflate = (struct doca_compress_task_compress_deflate *)task;

	rig_drop((struct doca_buf *)(uintptr_t)doca_compress_task_compress_deflate_get_src(deflate));
	rig_drop(doca_compress_task_compress_deflate_get_dst(deflate));
}

/* Allocates and submits a task and releases its buffers at once: a task in flight does not need them. */
RIG struct doca_task *rig_submit(struct rig *rig, uint64_t n)
{
	struct doca_task *task;

	CHECK_OK(rig_alloc(rig, n, &task));
	CHECK_OK(doca_task_submit(task));
	rig_drop_buffers(task);
	return task;
}

#endif
