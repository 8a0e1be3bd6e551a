/*
 * Byte order of numbers in packets: HTOBE converts from the order of the host to network order (big-endian), BETOH converts back. The
 * results for constants are constants. Programs include this header for the immediate data of RDMA messages (doca_be32_t).
 *
 * Programs also rely on the declarations of htonl() and its relatives.
 */
#ifndef DOCA_BITFIELD_H_
#define DOCA_BITFIELD_H_

#include <arpa/inet.h>
#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define DOCA_HTOBE16(number) ((uint16_t)(number))
#define DOCA_HTOBE32(number) ((uint32_t)(number))
#define DOCA_HTOBE64(number) ((uint64_t)(number))
#else
#define DOCA_HTOBE16(number) __builtin_bswap16(number)
#define DOCA_HTOBE32(number) __builtin_bswap32(number)
#define DOCA_HTOBE64(number) __builtin_bswap64(number)
#endif

#define DOCA_BETOH16(number) DOCA_HTOBE16(number)
#define DOCA_BETOH32(number) DOCA_HTOBE32(number)
#define DOCA_BETOH64(number) DOCA_HTOBE64(number)

#endif
