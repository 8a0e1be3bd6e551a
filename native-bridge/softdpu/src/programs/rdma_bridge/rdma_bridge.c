/* Public functions: conversion from and to verbs. The software DPU has no verbs device. */
#include "doca_rdma_bridge.h"

#include "sd_log.h"

static doca_error_t refuse(const char *what)
{
	SD_LOG_INFO("%s: there are no verbs behind the software DPU", what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev)
{
	return pd == NULL || dev == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("a device of a protection domain");
}

doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
	return dev == NULL || pd == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("a device's protection domain");
}

doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey)
{
	return buf == NULL || dev == NULL || mkey == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("a buffer's memory key");
}

doca_error_t doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd, uint32_t *mkey)
{
	return mmap == NULL || pd == NULL || mkey == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("a memory map's memory key");
}
