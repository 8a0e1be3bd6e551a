/* Types that several headers share. */
#ifndef DOCA_TYPES_H_
#define DOCA_TYPES_H_

#include <stdint.h>

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @name Numbers in network byte order */
/** @{ */
typedef __be16 doca_be16_t;
typedef __be32 doca_be32_t;
typedef __be64 doca_be64_t;
/** @} */

/** A file descriptor that becomes readable after an event. */
typedef int doca_event_handle_t;
/** Value for "no event handle". */
#define doca_event_invalid_handle (-1)
/** Handle of a progress engine; for poll, epoll and similar calls. */
typedef doca_event_handle_t doca_notification_handle_t;

/** Length of a global identifier (GID) in bytes. */
#define DOCA_GID_BYTE_LENGTH 16

/** Eight bytes that the program chooses and callbacks receive unchanged. */
union doca_data {
	void *ptr;
	uint64_t u64;
};

/** One piece of memory in a list. */
struct doca_gather_list {
	void *addr;				/**< first byte */
	uint64_t len;				/**< bytes */
	struct doca_gather_list *next;		/**< NULL at the end */
};

/** Permissions for registered memory; bits of a mask. The local device may always read. */
enum doca_access_flag {
	DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,
	DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = 1 << 0,
	DOCA_ACCESS_FLAG_RDMA_READ = 1 << 1,		/**< the remote side of an RDMA connection may read */
	DOCA_ACCESS_FLAG_RDMA_WRITE = 1 << 2,		/**< ... may write */
	DOCA_ACCESS_FLAG_RDMA_ATOMIC = 1 << 3,		/**< ... may perform atomic operations */
	DOCA_ACCESS_FLAG_PCI_READ_ONLY = 1 << 4,	/**< the other side of the card may read; excludes PCI_READ_WRITE */
	DOCA_ACCESS_FLAG_PCI_READ_WRITE = 1 << 5,	/**< the other side of the card may read and write */
	DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = 1 << 6,	/**< transfers over PCI may be reordered */
};

/** Type of a PCI function. */
enum doca_pci_func_type {
	DOCA_PCI_FUNC_TYPE_PF = 0,	/**< physical */
	DOCA_PCI_FUNC_TYPE_VF = 1,	/**< virtual */
	DOCA_PCI_FUNC_TYPE_SF = 2,	/**< sub-function */
};

/** Largest transfer unit of a port. */
enum doca_mtu_size {
	DOCA_MTU_SIZE_256_BYTES = 0,
	DOCA_MTU_SIZE_512_BYTES = 1,
	DOCA_MTU_SIZE_1K_BYTES = 2,
	DOCA_MTU_SIZE_2K_BYTES = 3,
	DOCA_MTU_SIZE_4K_BYTES = 4,
	DOCA_MTU_SIZE_RAW_ETHERNET = 5,
};

#ifdef __cplusplus
}
#endif

#endif
