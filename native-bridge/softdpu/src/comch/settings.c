/* Public functions of servers and clients for settings, events and sends. */
#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_shape.h"

static doca_error_t set_number(struct comch_control *control, uint32_t *setting, uint32_t value, uint32_t limit)
{
	if (control->ctx.state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	if (value == 0 || value > limit)
		return DOCA_ERROR_INVALID_VALUE;
	*setting = value;
	return DOCA_SUCCESS;
}

static doca_error_t set_consumer_events(struct comch_control *control, doca_comch_event_consumer_cb_t new_consumer,
					doca_comch_event_consumer_cb_t expired_consumer)
{
	if (control == NULL || new_consumer == NULL || expired_consumer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (control->ctx.state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	control->new_consumer = new_consumer;
	control->expired_consumer = expired_consumer;
	return DOCA_SUCCESS;
}

static doca_error_t set_receive_event(struct comch_control *control, doca_comch_event_msg_recv_cb_t received)
{
	if (control == NULL || received == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (control->ctx.state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	control->received = received;
	return DOCA_SUCCESS;
}

/* Defines the functions that a server and a client have alike. side: server or client. */
#define SIDE(side)                                                                                                     \
	SD_PART(doca_comch_##side##_as_ctx, struct doca_comch_##side, struct doca_ctx, control.ctx)                    \
	SD_GETTER(doca_comch_##side##_get_device, const struct doca_comch_##side, struct doca_dev *, object->control.ctx.dev) \
	SD_GETTER(doca_comch_##side##_get_max_msg_size, const struct doca_comch_##side, uint32_t, object->control.max_msg_size) \
	SD_GETTER(doca_comch_##side##_get_recv_queue_size, const struct doca_comch_##side, uint32_t,                   \
		  object->control.recv_queue_size)                                                                     \
	doca_error_t doca_comch_##side##_set_max_msg_size(struct doca_comch_##side *object, uint32_t size)             \
	{                                                                                                              \
		struct comch_control *control = (struct comch_control *)object;                                        \
                                                                                                                       \
		return control == NULL ? DOCA_ERROR_INVALID_VALUE :                                                    \
					 set_number(control, &control->max_msg_size, size, control->limits->max_msg_size); \
	}                                                                                                              \
	doca_error_t doca_comch_##side##_set_recv_queue_size(struct doca_comch_##side *object, uint32_t size)          \
	{                                                                                                              \
		struct comch_control *control = (struct comch_control *)object;                                        \
                                                                                                                       \
		return control == NULL ? DOCA_ERROR_INVALID_VALUE :                                                    \
					 set_number(control, &control->recv_queue_size, size,                          \
						    control->limits->max_recv_queue_size);                             \
	}                                                                                                              \
	doca_error_t doca_comch_##side##_event_msg_recv_register(struct doca_comch_##side *object,                     \
								 doca_comch_event_msg_recv_cb_t recv_event_cb)         \
	{                                                                                                              \
		return set_receive_event((struct comch_control *)object, recv_event_cb);                               \
	}                                                                                                              \
	doca_error_t doca_comch_##side##_event_consumer_register(                                                      \
		struct doca_comch_##side *object, doca_comch_event_consumer_cb_t new_consumer_event_cb,                \
		doca_comch_event_consumer_cb_t expired_consumer_event_cb)                                              \
	{                                                                                                              \
		return set_consumer_events((struct comch_control *)object, new_consumer_event_cb, expired_consumer_event_cb); \
	}                                                                                                              \
	doca_error_t doca_comch_##side##_task_send_set_conf(                                                           \
		struct doca_comch_##side *object, doca_comch_task_send_completion_cb_t task_completion_cb,             \
		doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)                           \
	{                                                                                                              \
		return comch_send_set_conf((struct comch_control *)object, task_completion_cb, task_error_cb, num_send_tasks); \
	}                                                                                                              \
	doca_error_t doca_comch_##side##_task_send_alloc_init(                                                         \
		struct doca_comch_##side *object, struct doca_comch_connection *peer, const void *msg, uint32_t len,   \
		struct doca_comch_task_send **task)                                                                    \
	{                                                                                                              \
		return comch_send_alloc((struct comch_control *)object, peer, msg, len, task);                         \
	}

SIDE(server)
SIDE(client)
SD_GETTER(doca_comch_server_get_device_rep, const struct doca_comch_server, struct doca_dev_rep *, object->representor)

doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server, doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
	if (comch_server == NULL || connect_event_cb == NULL || disconnect_event_cb == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (comch_server->control.ctx.state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	comch_server->connected = connect_event_cb;
	comch_server->disconnected = disconnect_event_cb;
	return DOCA_SUCCESS;
}
