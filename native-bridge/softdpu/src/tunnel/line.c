/* Lines: queues between a tunnel and its user. See sd_line.h and tunnel.h. */
#include "sd_line.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "sd_log.h"
#include "tunnel.h"

enum { MAX_PACKETS = 4 };			/* to the peer, of at most FRAME_MAX bytes */

struct sd_line {
	struct sd_job job;			/* first member; calls the watch */
	struct sd_watch *watch;			/* of the user; NULL: none */
	uint32_t events;			/* that the watch waits for */
	struct tunnel *tunnel;
	void (*wake)(struct tunnel *tunnel);
	uint8_t is_open;			/* the tunnel moves packets */
	uint8_t is_gone;			/* the tunnel has ended */
	uint8_t has_ended;			/* by the user */
	uint8_t num_owners;			/* the user and the tunnel; the last one frees the line */
	uint32_t num_out;
	struct frame out[MAX_PACKETS];		/* to the peer, oldest first */
	struct frame in;			/* from the peer; without bytes: none */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* of all lines */

/* The lock must be held. */
static uint8_t is_over(const struct sd_line *line)
{
	return line->is_gone || line->has_ended;
}

/* The lock must be held. */
static uint32_t pending(const struct sd_line *line)
{
	uint32_t events = 0;

	if (line->in.bytes != NULL)
		events |= EPOLLIN;
	if (line->num_out < MAX_PACKETS)
		events |= EPOLLOUT;
	events &= line->events;
	return is_over(line) ? events | EPOLLIN | EPOLLHUP : events;
}

static void call_watch(struct sd_job *job);

/* The lock must be held. */
static void wake_user(struct sd_line *line)
{
	if (line->watch != NULL && pending(line) != 0)
		sd_service_schedule(&line->job, 0, call_watch);
}

/* The lock must be held. */
static void wake_tunnel(struct sd_line *line)
{
	if (line->is_open && !line->is_gone)
		line->wake(line->tunnel);
}

/* The lock must be held. */
static void end(struct sd_line *line)
{
	line->has_ended = 1;
	frame_clear(&line->in);
	wake_tunnel(line);
	wake_user(line);
}

/* The lock must be held. */
static void drop_owner(struct sd_line *line)
{
	if (--line->num_owners > 0)
		return;
	while (line->num_out > 0)
		frame_clear(&line->out[--line->num_out]);
	frame_clear(&line->in);
	free(line);
}

/* Level-triggered: calls again while an event is present. The watch may close the line. */
static void call_watch(struct sd_job *job)
{
	struct sd_line *line = (struct sd_line *)job;
	struct sd_watch *watch;
	uint32_t events;

	pthread_mutex_lock(&lock);
	watch = line->watch;
	events = watch == NULL ? 0 : pending(line);
	wake_user(line);
	pthread_mutex_unlock(&lock);
	if (events != 0)
		watch->ready(watch, events);
}

void sd_line_watch(struct sd_line *line, struct sd_watch *watch, uint32_t events,
		   void (*ready)(struct sd_watch *watch, uint32_t events))
{
	pthread_mutex_lock(&lock);
	watch->ready = ready;
	line->watch = watch;
	line->events = events;
	wake_user(line);
	pthread_mutex_unlock(&lock);
}

void sd_line_rearm(struct sd_line *line, uint32_t events)
{
	pthread_mutex_lock(&lock);
	line->events = events;
	wake_user(line);
	pthread_mutex_unlock(&lock);
}

void sd_line_unwatch(struct sd_line *line)
{
	pthread_mutex_lock(&lock);
	line->watch = NULL;
	pthread_mutex_unlock(&lock);
	sd_service_cancel(&line->job);
}

static uint8_t make_packet(struct frame *frame, const void *head, size_t head_len, const void *data, size_t len)
{
	uint8_t *bytes = malloc(head_len + len);

	if (bytes == NULL)
		return 0;
	memcpy(bytes, head, head_len);
	if (len > 0)
		memcpy(bytes + head_len, data, len);
	*frame = (struct frame){ .len = (uint32_t)(head_len + len), .bytes = bytes };
	return 1;
}

enum sd_line_result sd_line_send(struct sd_line *line, const void *head, size_t head_len, const void *data, size_t len)
{
	struct frame frame = { 0 };
	uint8_t is_made = make_packet(&frame, head, head_len, data, len);
	enum sd_line_result result = SD_LINE_END;

	pthread_mutex_lock(&lock);
	if (!is_made) {
		SD_LOG_ERROR("no memory for a packet to an RDMA peer: the connection ends");
		end(line);
	} else if (!is_over(line)) {
		result = line->num_out == MAX_PACKETS ? SD_LINE_AGAIN : SD_LINE_DONE;
	}
	if (result == SD_LINE_DONE) {
		line->out[line->num_out++] = frame;
		frame = (struct frame){ 0 };
		wake_tunnel(line);
	}
	pthread_mutex_unlock(&lock);
	frame_clear(&frame);
	return result;
}

enum sd_line_result sd_line_receive(struct sd_line *line, void *head, size_t head_len, void *data, size_t *len)
{
	enum sd_line_result result;
	struct frame frame;

	pthread_mutex_lock(&lock);
	frame = line->in;
	line->in = (struct frame){ 0 };
	result = frame.bytes != NULL ? SD_LINE_DONE : is_over(line) ? SD_LINE_END : SD_LINE_AGAIN;
	if (result == SD_LINE_DONE)
		wake_tunnel(line);
	pthread_mutex_unlock(&lock);
	if (result == SD_LINE_DONE && (frame.len < head_len || frame.len - head_len > *len))
		result = SD_LINE_END;
	if (result == SD_LINE_DONE) {
		*len = frame.len - head_len;
		memcpy(head, frame.bytes, head_len);
		if (*len > 0)
			memcpy(data, frame.bytes + head_len, *len);
	}
	frame_clear(&frame);
	return result;
}

uint8_t sd_line_has_ended(struct sd_line *line)
{
	uint8_t answer;

	pthread_mutex_lock(&lock);
	answer = is_over(line);
	pthread_mutex_unlock(&lock);
	return answer;
}

void sd_line_end(struct sd_line *line)
{
	pthread_mutex_lock(&lock);
	end(line);
	pthread_mutex_unlock(&lock);
}

void sd_line_close(struct sd_line *line)
{
	sd_line_unwatch(line);
	pthread_mutex_lock(&lock);
	end(line);
	drop_owner(line);
	pthread_mutex_unlock(&lock);
}

struct sd_line *line_new(struct tunnel *tunnel, void (*wake)(struct tunnel *tunnel))
{
	struct sd_line *line = calloc(1, sizeof(*line));

	if (line == NULL)
		return NULL;
	line->tunnel = tunnel;
	line->wake = wake;
	line->num_owners = 2;
	return line;
}

void line_open(struct sd_line *line)
{
	pthread_mutex_lock(&lock);
	line->is_open = 1;
	pthread_mutex_unlock(&lock);
}

enum frame_result line_take(struct sd_line *line, struct frame *out)
{
	enum frame_result result;

	pthread_mutex_lock(&lock);
	result = line->num_out > 0 ? FRAME_DONE : line->has_ended ? FRAME_END : FRAME_AGAIN;
	if (result == FRAME_DONE) {
		*out = line->out[0];
		line->num_out--;
		memmove(line->out, line->out + 1, line->num_out * sizeof(line->out[0]));
		wake_user(line);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

enum frame_result line_deliver(struct sd_line *line, struct frame *in)
{
	enum frame_result result = FRAME_END;

	pthread_mutex_lock(&lock);
	if (!line->has_ended)
		result = line->in.bytes != NULL ? FRAME_AGAIN : FRAME_DONE;
	if (result == FRAME_DONE) {
		line->in = *in;
		*in = (struct frame){ 0 };
		wake_user(line);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

void line_detach(struct sd_line *line)
{
	pthread_mutex_lock(&lock);
	line->is_gone = 1;
	wake_user(line);
	pthread_mutex_unlock(&lock);
}

void line_leave(struct sd_line *line)
{
	pthread_mutex_lock(&lock);
	line->is_gone = 1;
	wake_user(line);
	drop_owner(line);
	pthread_mutex_unlock(&lock);
}
