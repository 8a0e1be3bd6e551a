/* Steps that all exports and imports of maps share. Thread: program's. */
#ifndef MMAP_EXCHANGE_H
#define MMAP_EXCHANGE_H

#include "export.h"
#include "mmap.h"

struct export_desc;
struct remote_desc;

/** Implements doca_mmap_export_pci() and doca_mmap_export_rdma(). The map has at least one of the permissions. */
doca_error_t mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, const struct export_desc_type *type,
			 uint32_t one_of_permissions, const void **export_desc, size_t *export_desc_len);
/** Creates a map of the described export. remote: as import_open(). Errors: as doca_mmap_create_from_export(). */
doca_error_t mmap_import(const struct export_desc *desc, const struct remote_desc *remote, struct doca_dev *dev,
			 struct doca_mmap **mmap);
/** Creates a map from a description for RDMA peers. */
doca_error_t mmap_import_remote(const void *bytes, size_t len, struct doca_dev *dev, struct doca_mmap **mmap);

#endif
