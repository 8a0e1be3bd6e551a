/* Packets of a local socket, as frames in a stream of bytes: 4 bytes length in native byte order, then the bytes. */
#ifndef FRAME_H
#define FRAME_H

#include <stddef.h>
#include <stdint.h>

/** Largest packet in bytes: 64 KiB of data, and a head. */
enum { FRAME_MAX = (64 << 10) + 256 };

/** A frame that is being moved. Zero-initialise. */
struct frame {
	uint32_t len;				/**< of the packet */
	uint32_t done;				/**< moved bytes of the length and the packet */
	uint8_t *bytes;				/**< the packet; NULL: none, or the length is not complete */
};

enum frame_result {
	FRAME_DONE,
	FRAME_AGAIN,				/**< the socket has no packet, or no room */
	FRAME_END,				/**< the socket has ended */
	FRAME_NO_MEMORY,
};

/** Begins a frame with a packet. Returns 0 without memory. */
uint8_t frame_begin(struct frame *frame, const void *bytes, size_t len);
/** Begins a frame with the next packet of a local socket. Service thread. */
enum frame_result frame_receive(struct frame *frame, int fd);
/** Returns the next bytes of the frame to send, at least one. */
const void *frame_left(const struct frame *frame, size_t *len);
/** Returns the place for received bytes, and sets their number. */
void *frame_room(struct frame *frame, size_t *len);
/** Counts received bytes. Returns 0 if the frame is not valid, or there is no memory for it. */
uint8_t frame_received(struct frame *frame, size_t len);
/** Returns whether all bytes of the frame were moved. */
uint8_t frame_is_complete(const struct frame *frame);
/** Sends the packet of a complete frame to a local socket. */
enum frame_result frame_deliver(const struct frame *frame, int fd);
/** Drops the frame. */
void frame_clear(struct frame *frame);

#endif
