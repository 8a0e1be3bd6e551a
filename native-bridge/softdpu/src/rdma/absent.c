/*
 * Functions that the software DPU does not implement yet. With valid arguments they return NOT_SUPPORTED. No task of these kinds
 * exists: getters return 0 or NULL, setters do nothing.
 */
#include "sd_rdma.h"

/* Nothing reads most parameters: they are here for their types. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define ABSENT(function, parameters, is_valid)                                     \
	doca_error_t function parameters                                           \
	{                                                                          \
		return (is_valid) ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_INVALID_VALUE; \
	}

#define ABSENT_TASK(kind)                                                                                  \
	ABSENT(doca_rdma_cap_task_##kind##_is_supported, (const struct doca_devinfo *devinfo), devinfo != NULL) \
	ABSENT(doca_rdma_task_##kind##_set_conf,                                                           \
	       (struct doca_rdma *rdma, doca_rdma_task_##kind##_completion_cb_t successful_task_completion_cb, \
		doca_rdma_task_##kind##_completion_cb_t error_task_completion_cb, uint32_t num_tasks),      \
	       rdma != NULL && successful_task_completion_cb != NULL && error_task_completion_cb != NULL)   \
	struct doca_task *doca_rdma_task_##kind##_as_task(struct doca_rdma_task_##kind *task)               \
	{                                                                                                  \
		return NULL;                                                                               \
	}

#define ABSENT_GETTER(kind, name, type)                                                    \
	type doca_rdma_task_##kind##_##name(const struct doca_rdma_task_##kind *task)       \
	{                                                                                  \
		return (type)0;                                                            \
	}

#define ABSENT_SETTER(kind, name, type)                                                    \
	void doca_rdma_task_##kind##_##name(struct doca_rdma_task_##kind *task, type value) \
	{                                                                                  \
	}

ABSENT_TASK(send)
ABSENT(doca_rdma_task_send_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
	 union doca_data user_data, struct doca_rdma_task_send **task),
	rdma != NULL && rdma_connection != NULL && task != NULL)
ABSENT_GETTER(send, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(send, get_src_buf, const struct doca_buf *)
ABSENT_SETTER(send, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(send, set_src_buf, const struct doca_buf *)

ABSENT_TASK(send_imm)
ABSENT(doca_rdma_task_send_imm_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
	 doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_send_imm **task),
	rdma != NULL && rdma_connection != NULL && task != NULL)
ABSENT_GETTER(send_imm, get_immediate_data, doca_be32_t)
ABSENT_GETTER(send_imm, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(send_imm, get_src_buf, const struct doca_buf *)
ABSENT_SETTER(send_imm, set_immediate_data, doca_be32_t)
ABSENT_SETTER(send_imm, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(send_imm, set_src_buf, const struct doca_buf *)

ABSENT_TASK(receive)
ABSENT(doca_rdma_task_receive_allocate_init,
	(struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_receive **task),
	rdma != NULL && task != NULL)
ABSENT_GETTER(receive, get_dst_buf, struct doca_buf *)
ABSENT(doca_rdma_task_receive_get_dst_buf_list_len,
	(const struct doca_rdma *rdma, uint32_t *buf_list_len),
	rdma != NULL && buf_list_len != NULL)
ABSENT_GETTER(receive, get_result_immediate_data, doca_be32_t)
ABSENT_GETTER(receive, get_result_len, uint32_t)
ABSENT_GETTER(receive, get_result_opcode, enum doca_rdma_opcode)
ABSENT_GETTER(receive, get_result_rdma_connection, const struct doca_rdma_connection *)
ABSENT_SETTER(receive, set_dst_buf, struct doca_buf *)
ABSENT(doca_rdma_task_receive_set_dst_buf_list_len, (struct doca_rdma *rdma, uint32_t buf_list_len), rdma != NULL)

ABSENT_TASK(write_imm)
ABSENT(doca_rdma_task_write_imm_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
	 struct doca_buf *dst_buf, doca_be32_t immediate_data, union doca_data user_data,
	 struct doca_rdma_task_write_imm **task),
	rdma != NULL && rdma_connection != NULL && task != NULL)
ABSENT_GETTER(write_imm, get_dst_buf, struct doca_buf *)
ABSENT_GETTER(write_imm, get_immediate_data, doca_be32_t)
ABSENT_GETTER(write_imm, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(write_imm, get_src_buf, const struct doca_buf *)
ABSENT_SETTER(write_imm, set_dst_buf, struct doca_buf *)
ABSENT_SETTER(write_imm, set_immediate_data, doca_be32_t)
ABSENT_SETTER(write_imm, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(write_imm, set_src_buf, const struct doca_buf *)

ABSENT_TASK(atomic_cmp_swp)
ABSENT(doca_rdma_task_atomic_cmp_swp_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
	 struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
	 struct doca_rdma_task_atomic_cmp_swp **task),
	rdma != NULL && rdma_connection != NULL && dst_buf != NULL && result_buf != NULL && task != NULL)
ABSENT_GETTER(atomic_cmp_swp, get_cmp_data, uint64_t)
ABSENT_GETTER(atomic_cmp_swp, get_dst_buf, struct doca_buf *)
ABSENT_GETTER(atomic_cmp_swp, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(atomic_cmp_swp, get_result_buf, struct doca_buf *)
ABSENT_GETTER(atomic_cmp_swp, get_swap_data, uint64_t)
ABSENT_SETTER(atomic_cmp_swp, set_cmp_data, uint64_t)
ABSENT_SETTER(atomic_cmp_swp, set_dst_buf, struct doca_buf *)
ABSENT_SETTER(atomic_cmp_swp, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(atomic_cmp_swp, set_result_buf, struct doca_buf *)
ABSENT_SETTER(atomic_cmp_swp, set_swap_data, uint64_t)

ABSENT_TASK(atomic_fetch_add)
ABSENT(doca_rdma_task_atomic_fetch_add_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
	 struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
	 struct doca_rdma_task_atomic_fetch_add **task),
	rdma != NULL && rdma_connection != NULL && dst_buf != NULL && result_buf != NULL && task != NULL)
ABSENT_GETTER(atomic_fetch_add, get_add_data, uint64_t)
ABSENT_GETTER(atomic_fetch_add, get_dst_buf, struct doca_buf *)
ABSENT_GETTER(atomic_fetch_add, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(atomic_fetch_add, get_result_buf, struct doca_buf *)
ABSENT_SETTER(atomic_fetch_add, set_add_data, uint64_t)
ABSENT_SETTER(atomic_fetch_add, set_dst_buf, struct doca_buf *)
ABSENT_SETTER(atomic_fetch_add, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(atomic_fetch_add, set_result_buf, struct doca_buf *)

ABSENT_TASK(remote_net_sync_event_get)
ABSENT(doca_rdma_task_remote_net_sync_event_get_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	 const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf, union doca_data user_data,
	 struct doca_rdma_task_remote_net_sync_event_get **task),
	rdma != NULL && rdma_connection != NULL && event != NULL && dst_buf != NULL && task != NULL)
ABSENT_GETTER(remote_net_sync_event_get, get_dst_buf, struct doca_buf *)
ABSENT_GETTER(remote_net_sync_event_get, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(remote_net_sync_event_get, get_result_len, uint32_t)
ABSENT_GETTER(remote_net_sync_event_get, get_sync_event, const struct doca_sync_event_remote_net *)
ABSENT_SETTER(remote_net_sync_event_get, set_dst_buf, struct doca_buf *)
ABSENT_SETTER(remote_net_sync_event_get, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(remote_net_sync_event_get, set_sync_event, const struct doca_sync_event_remote_net *)

ABSENT_TASK(remote_net_sync_event_notify_set)
ABSENT(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
	 const struct doca_buf *src_buf, union doca_data user_data,
	 struct doca_rdma_task_remote_net_sync_event_notify_set **task),
	rdma != NULL && rdma_connection != NULL && event != NULL && src_buf != NULL && task != NULL)
ABSENT_GETTER(remote_net_sync_event_notify_set, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(remote_net_sync_event_notify_set, get_src_buf, const struct doca_buf *)
ABSENT_GETTER(remote_net_sync_event_notify_set, get_sync_event, struct doca_sync_event_remote_net *)
ABSENT_SETTER(remote_net_sync_event_notify_set, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(remote_net_sync_event_notify_set, set_src_buf, const struct doca_buf *)
ABSENT_SETTER(remote_net_sync_event_notify_set, set_sync_event, struct doca_sync_event_remote_net *)

ABSENT_TASK(remote_net_sync_event_notify_add)
ABSENT(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
	 struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
	 struct doca_rdma_task_remote_net_sync_event_notify_add **task),
	rdma != NULL && rdma_connection != NULL && event != NULL && result_buf != NULL && task != NULL)
ABSENT_GETTER(remote_net_sync_event_notify_add, get_add_data, uint64_t)
ABSENT_GETTER(remote_net_sync_event_notify_add, get_rdma_connection, const struct doca_rdma_connection *)
ABSENT_GETTER(remote_net_sync_event_notify_add, get_result_buf, struct doca_buf *)
ABSENT_GETTER(remote_net_sync_event_notify_add, get_sync_event, struct doca_sync_event_remote_net *)
ABSENT_SETTER(remote_net_sync_event_notify_add, set_add_data, uint64_t)
ABSENT_SETTER(remote_net_sync_event_notify_add, set_rdma_connection, struct doca_rdma_connection *)
ABSENT_SETTER(remote_net_sync_event_notify_add, set_result_buf, struct doca_buf *)
ABSENT_SETTER(remote_net_sync_event_notify_add, set_sync_event, struct doca_sync_event_remote_net *)
/* Connection manager, DPA, GPU and verbs. */
ABSENT(doca_rdma_addr_create,
	(enum doca_rdma_addr_type addr_type, const char *address, uint16_t port, struct doca_rdma_addr **addr),
	address != NULL && addr != NULL)
ABSENT(doca_rdma_addr_destroy, (struct doca_rdma_addr *addr), addr != NULL)
ABSENT(doca_rdma_addr_get_params,
	(struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type, const char **address, uint16_t *port),
	addr != NULL && addr_type != NULL && address != NULL && port != NULL)
ABSENT(doca_rdma_bridge_accept,
	(struct doca_rdma *rdma, void *private_data, uint8_t private_data_len, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_established,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_prepare_connection,
	(struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection),
	rdma != NULL && cm_id != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_cap_task_receive_get_max_dst_buf_list_len,
	(const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type, uint32_t *max_buf_list_len),
	devinfo != NULL && max_buf_list_len != NULL)
ABSENT(doca_rdma_connect_to_addr,
	(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data connection_user_data),
	rdma != NULL && addr != NULL)
ABSENT(doca_rdma_connection_accept,
	(struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len),
	rdma_connection != NULL)
ABSENT(doca_rdma_connection_get_addr,
	(const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr),
	rdma_connection != NULL && addr != NULL)
ABSENT(doca_rdma_connection_reject, (struct doca_rdma_connection *rdma_connection), rdma_connection != NULL)
ABSENT(doca_rdma_dpa_completion_attach,
	(struct doca_rdma *rdma, struct doca_dpa_completion *dpa_comp),
	rdma != NULL && dpa_comp != NULL)
ABSENT(doca_rdma_get_dpa_handle, (struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma), rdma != NULL && dpa_rdma != NULL)
ABSENT(doca_rdma_get_gpu_handle,
	(struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma),
	rdma != NULL && gpu_rdma != NULL)
ABSENT(doca_rdma_set_connection_state_callbacks,
	(struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	 doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	 doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	 doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb),
	
	 rdma != NULL && doca_rdma_connect_established_cb != NULL && doca_rdma_connect_failure_cb != NULL &&
	 doca_rdma_disconnect_cb != NULL)
ABSENT(doca_rdma_start_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma != NULL)
ABSENT(doca_rdma_stop_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma != NULL)
