#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { HEAD = sizeof(uint32_t) };

uint8_t frame_begin(struct frame *frame, const void *bytes, size_t len)
{
	frame->bytes = malloc(len);
	if (frame->bytes == NULL)
		return 0;
	memcpy(frame->bytes, bytes, len);
	frame->len = (uint32_t)len;
	frame->done = 0;
	return 1;
}

enum frame_result frame_receive(struct frame *frame, int fd)
{
	static uint8_t packet[FRAME_MAX]; /* of the service thread */
	ssize_t len = recv(fd, packet, sizeof(packet), MSG_DONTWAIT | MSG_TRUNC);

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return FRAME_AGAIN;
	if (len <= 0 || len > (ssize_t)sizeof(packet))
		return FRAME_END;
	return frame_begin(frame, packet, (size_t)len) ? FRAME_DONE : FRAME_NO_MEMORY;
}

const void *frame_left(const struct frame *frame, size_t *len)
{
	if (frame->done < HEAD) {
		*len = HEAD - frame->done;
		return (const uint8_t *)&frame->len + frame->done;
	}
	*len = HEAD + frame->len - frame->done;
	return frame->bytes + (frame->done - HEAD);
}

void *frame_room(struct frame *frame, size_t *len)
{
	return (void *)(uintptr_t)frame_left(frame, len);
}

uint8_t frame_received(struct frame *frame, size_t len)
{
	frame->done += (uint32_t)len;
	if (frame->done != HEAD)
		return 1;
	if (frame->len == 0 || frame->len > FRAME_MAX)
		return 0;
	frame->bytes = malloc(frame->len);
	return frame->bytes != NULL;
}

uint8_t frame_is_complete(const struct frame *frame)
{
	return frame->bytes != NULL && frame->done == HEAD + frame->len;
}

enum frame_result frame_deliver(const struct frame *frame, int fd)
{
	ssize_t sent;

	do {
		sent = send(fd, frame->bytes, frame->len, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return FRAME_DONE;
	return errno == EAGAIN || errno == ENOBUFS ? FRAME_AGAIN : FRAME_END;
}

void frame_clear(struct frame *frame)
{
	free(frame->bytes);
	*frame = (struct frame){ 0 };
}
