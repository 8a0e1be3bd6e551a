/*
 * The frame around one member of the multi-member gzip file (RFC 1952), identical to that of `dpu compress`. Numbers are
 * little-endian.
 *
 *    0  1f 8b 08 04        magic, deflate, FEXTRA
 *    4  00 00 00 00        no modification time
 *    8  00 ff              no extra flags, unknown system
 *   10  u16 XLEN           8
 *   12  'D' 'A'            sub-field
 *   14  u16                its length, 4
 *   16  u32                bytes of the whole member, from 1f to the end of the trailer
 *   20  ...                raw deflate stream
 *    n  u32 CRC-32, u32 length of the uncompressed bytes
 */
#ifndef GZIP_H
#define GZIP_H

#include <stdint.h>
#include <string.h>

#define GZIP_HEADER_BYTES 20u
#define GZIP_TRAILER_BYTES 8u
#define GZIP_FRAME_BYTES (GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES)

static inline void gzip_put_u32(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
	at[2] = (uint8_t)(value >> 16);
	at[3] = (uint8_t)(value >> 24);
}

/** Frames the stream_len bytes at member + GZIP_HEADER_BYTES. Returns the bytes of the member. */
static inline uint32_t gzip_frame(uint8_t *member, uint32_t stream_len, uint32_t crc, uint32_t plain_len)
{
	static const uint8_t head[16] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, 'D', 'A', 4, 0 };
	uint8_t *trailer = member + GZIP_HEADER_BYTES + stream_len;
	uint32_t member_len = stream_len + GZIP_FRAME_BYTES;

	memcpy(member, head, sizeof(head));
	gzip_put_u32(member + sizeof(head), member_len);
	gzip_put_u32(trailer, crc);
	gzip_put_u32(trailer + 4, plain_len);
	return member_len;
}

#endif
