/* Sockets of connections: polling, packets, send tasks. */
#ifndef SD_COMCH_SOCKET_H
#define SD_COMCH_SOCKET_H

#include "sd_comch.h"

/* @name Polling */
/* @{ */
/* Prepares the start of a control context. INITIALIZATION: no free descriptor. */
doca_error_t comch_poll_open(struct comch_control *control);
/* Hooks of control contexts. */
uint8_t comch_control_poll(struct doca_ctx *ctx, uint32_t budget);
void comch_control_rest(struct doca_ctx *ctx);
uint64_t comch_control_next_due(const struct doca_ctx *ctx);
/* Reads at most budget packets, and ends the connection if it has ended. Returns 0 if there were none. No lock may be held. */
uint8_t comch_poll_read(struct doca_comch_connection *connection, uint32_t budget);
/*
 * Offers a connection with new data to the program's thread. Returns 1 if that thread will read it. Service thread; the
 * connection's lock must be held.
 */
uint8_t comch_poll_offer(struct doca_comch_connection *connection);
/* Ends the reading by the program's thread. The connection's lock must be held. */
void comch_poll_withdraw(struct doca_comch_connection *connection);
/* @} */

/* @name Sockets; the lock must be held */
/* @{ */
/* Sends a packet, or queues it until the socket has room and the fault plan's delay has passed. */
void comch_transmit(struct doca_comch_connection *connection, struct comch_out *out);
/* Creates a packet with room for len bytes after its head. NULL without memory. */
struct comch_out *comch_packet_create(uint32_t type, uint32_t value, size_t len);
/*
 * Sends or queues a packet without bytes. Without memory the connection ends on both sides: a peer would wait for this packet for
 * ever.
 */
void comch_transmit_packet(struct doca_comch_connection *connection, uint32_t type, uint32_t value);
/* Sends or queues CONSUMER_NEW, and takes ownership of its descriptors. Without memory it returns 0 and takes nothing. */
uint8_t comch_transmit_consumer(struct doca_comch_connection *connection, uint32_t id, const int *fds);
/* Updates the events that the service thread polls. */
void comch_rearm(struct doca_comch_connection *connection);
/* Sends queued packets, until the socket is full or a packet is delayed. */
void comch_flush(struct doca_comch_connection *connection);
/* Drops queued packets; their tasks end with this result. */
void comch_drop_output(struct doca_comch_connection *connection, doca_error_t result);
/* Result of comch_receive(), which reads at most budget packets. No lock may be held. */
enum comch_received { COMCH_RECEIVED_NOTHING, COMCH_RECEIVED_SOMETHING, COMCH_RECEIVED_END /* the connection has ended */ };
enum comch_received comch_receive(struct doca_comch_connection *connection, uint32_t budget);
/* @} */

/* @name Send tasks */
/* @{ */
extern const struct sd_task_operation comch_send;
doca_error_t comch_send_set_conf(struct comch_control *control, doca_comch_task_send_completion_cb_t completed,
				 doca_comch_task_send_completion_cb_t failed, uint32_t num_tasks);
doca_error_t comch_send_alloc(struct comch_control *control, struct doca_comch_connection *connection, const void *message,
			      uint32_t len, struct doca_comch_task_send **task);
/* Ends a send task whose message was sent or dropped. Any thread. */
void comch_send_ended(struct doca_comch_task_send *task, doca_error_t outcome);
/* Ends a task that its library executed without the device; later if a fault delays it. Any thread. */
void comch_task_ended(struct doca_task *task, doca_error_t outcome, struct comch_delay *delay);
/* @} */

#endif
