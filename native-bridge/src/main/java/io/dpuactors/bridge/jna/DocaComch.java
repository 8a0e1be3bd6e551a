package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * libdoca_comch, directly mapped: messages between servers and clients, and the fast path of
 * producers and consumers. Names and arguments are those of DOCA; the package describes how their
 * types map to Java.
 *
 * <p>An installation may lack this library, or a library may lack functions. A missing function
 * returns NOT_SUPPORTED. A library without its {@link #REQUIRED} functions counts as missing.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's of the object; any for
 * functions that take a device's description.
 */
public final class DocaComch {
  /** Functions without which the library counts as missing. */
  static final Set<String> REQUIRED =
      Set.of(
          "doca_comch_server_as_ctx",
          "doca_comch_server_create",
          "doca_comch_server_destroy",
          "doca_comch_client_as_ctx",
          "doca_comch_client_create",
          "doca_comch_client_destroy",
          "doca_comch_consumer_as_ctx",
          "doca_comch_consumer_create",
          "doca_comch_consumer_destroy",
          "doca_comch_producer_as_ctx",
          "doca_comch_producer_create",
          "doca_comch_producer_destroy");

  private DocaComch() {}

  // ---- Capabilities of a device ----

  /** Returns SUCCESS when the device supports clients, else NOT_SUPPORTED. */
  public static native int doca_comch_cap_client_is_supported(long devinfo);

  /** Returns the maximum number of clients of one server. */
  public static native int doca_comch_cap_get_max_clients(long devinfo, int[] numClients);

  /** Returns the maximum message size in bytes. */
  public static native int doca_comch_cap_get_max_msg_size(long devinfo, int[] size);

  /** Returns the maximum length of a server's name in bytes, including its NUL. */
  public static native int doca_comch_cap_get_max_name_len(long devinfo, int[] maxNameLen);

  /** Returns the maximum number of messages in the receive queue. */
  public static native int doca_comch_cap_get_max_recv_queue_size(long devinfo, int[] size);

  /** Returns the maximum number of send tasks of one context. */
  public static native int doca_comch_cap_get_max_send_tasks(long devinfo, int[] maxSendTasks);

  /** Returns SUCCESS when the device supports servers, else NOT_SUPPORTED. */
  public static native int doca_comch_cap_server_is_supported(long devinfo);

  // ---- Servers and clients ----

  /** Returns the context of a client. */
  public static native long doca_comch_client_as_ctx(long comchClient);

  /** Creates an idle client of the server of that name. */
  public static native int doca_comch_client_create(long dev, String name, long[] comchClient);

  /** Destroys an idle client; IN_USE when it is not idle or its objects remain. */
  public static native int doca_comch_client_destroy(long comchClient);

  /** Sets the C callbacks for new and expired consumers of the server's side. */
  public static native int doca_comch_client_event_consumer_register(
      long comchClient, long newConsumerEventCb, long expiredConsumerEventCb);

  /** Sets the C callback for messages. */
  public static native int doca_comch_client_event_msg_recv_register(
      long comchClient, long recvEventCb);

  /** Returns the opened device of a client. */
  public static native int doca_comch_client_get_device(long comchClient, long[] dev);

  /** Returns the maximum message size of a client in bytes. */
  public static native int doca_comch_client_get_max_msg_size(long comchClient, int[] size);

  /** Returns the size of the receive queue, in messages. */
  public static native int doca_comch_client_get_recv_queue_size(long comchClient, int[] size);

  /** Sets the maximum message size of an idle client. */
  public static native int doca_comch_client_set_max_msg_size(long comchClient, int size);

  /** Sets the size of the receive queue of an idle client, in messages. */
  public static native int doca_comch_client_set_recv_queue_size(long comchClient, int size);

  /** Returns the context of a server. */
  public static native long doca_comch_server_as_ctx(long comchServer);

  /** Creates an idle server of that name for the host's function that a representor represents. */
  public static native int doca_comch_server_create(
      long dev, long repr, String name, long[] comchServer);

  /** Destroys an idle server; IN_USE when it is not idle or its objects remain. */
  public static native int doca_comch_server_destroy(long comchServer);

  /** Sets the C callbacks for connected and disconnected clients. */
  public static native int doca_comch_server_event_connection_status_changed_register(
      long comchServer, long connectEventCb, long disconnectEventCb);

  /** Sets the C callbacks for new and expired consumers of a client's side. */
  public static native int doca_comch_server_event_consumer_register(
      long comchServer, long newConsumerEventCb, long expiredConsumerEventCb);

  /** Sets the C callback for messages. */
  public static native int doca_comch_server_event_msg_recv_register(
      long comchServer, long recvEventCb);

  /** Returns the opened device of a server. */
  public static native int doca_comch_server_get_device(long comchServer, long[] dev);

  /** Returns the opened representor of a server. */
  public static native int doca_comch_server_get_device_rep(long comchServer, long[] rep);

  /** Returns the maximum message size of a server in bytes. */
  public static native int doca_comch_server_get_max_msg_size(long comchServer, int[] size);

  /** Returns the size of the receive queue for each client, in messages. */
  public static native int doca_comch_server_get_recv_queue_size(long comchServer, int[] size);

  /** Sets the maximum message size of an idle server. */
  public static native int doca_comch_server_set_max_msg_size(long comchServer, int size);

  /** Sets the size of the receive queue of an idle server, in messages. */
  public static native int doca_comch_server_set_recv_queue_size(long comchServer, int size);

  // ---- Connections ----

  /** Returns the client of a connection; 0 for a connection of a server. */
  public static native long doca_comch_client_get_client_ctx(long connection);

  /** Returns the connection of a running client; BAD_STATE before. */
  public static native int doca_comch_client_get_connection(long comchClient, long[] connection);

  /** Returns one of the counters that {@link #doca_comch_connection_update_info} has read. */
  public static native int doca_comch_connection_get_counter(
      long comchConnection, int counterType, long[] counterValue);

  /** Returns the word that {@link #doca_comch_connection_set_user_data} has set. */
  public static native long doca_comch_connection_get_user_data(long connection);

  /** Attaches a word to a connection. */
  public static native int doca_comch_connection_set_user_data(long connection, long userData);

  /** Reads the counters of a connection. */
  public static native int doca_comch_connection_update_info(long comchConnection);

  /**
   * Ends a connection; IN_USE while it has consumers or producers, AGAIN while its queue is full.
   */
  public static native int doca_comch_server_disconnect(long comchServer, long connection);

  /** Returns the server of a connection; 0 for a connection of a client. */
  public static native long doca_comch_server_get_server_ctx(long connection);

  // ---- Messages ----

  /** Allocates a task that sends a message; NO_MEMORY when all are in use. */
  public static native int doca_comch_client_task_send_alloc_init(
      long comchClient, long peer, long msg, int len, long[] task);

  /** Sets the number of tasks and the C callbacks of success and failure. */
  public static native int doca_comch_client_task_send_set_conf(
      long comchClient, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** Allocates a task that sends a message to one client; NO_MEMORY when all are in use. */
  public static native int doca_comch_server_task_send_alloc_init(
      long comchServer, long peer, long msg, int len, long[] task);

  /** Sets the number of tasks and the C callbacks of success and failure. */
  public static native int doca_comch_server_task_send_set_conf(
      long comchServer, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** Returns the general task of a message. */
  public static native long doca_comch_task_send_as_task(long task);

  // ---- Consumers ----

  /** Returns the context of a consumer. */
  public static native long doca_comch_consumer_as_ctx(long consumer);

  /** Returns the maximum number of elements of a list of buffers; 1 means no lists. */
  public static native int doca_comch_consumer_cap_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Returns the maximum buffer size in bytes. */
  public static native int doca_comch_consumer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

  /** Returns the maximum number of consumers of one connection. */
  public static native int doca_comch_consumer_cap_get_max_consumers(
      long devinfo, int[] maxConsumers);

  /** Returns the maximum number of bytes of immediate data. */
  public static native int doca_comch_consumer_cap_get_max_imm_data_len(
      long devinfo, int[] maxImmDataLen);

  /** Returns the maximum number of tasks of one consumer. */
  public static native int doca_comch_consumer_cap_get_max_num_tasks(
      long devinfo, int[] maxNumTasks);

  /** Returns SUCCESS when the device supports consumers, else NOT_SUPPORTED. */
  public static native int doca_comch_consumer_cap_is_supported(long devinfo);

  /**
   * Creates an idle consumer on a connection, for buffers of a map that the peer may write over
   * PCI.
   */
  public static native int doca_comch_consumer_create(
      long comchConnection, long bufMmap, long[] consumer);

  /** Destroys an idle consumer; IN_USE when it is not idle. */
  public static native int doca_comch_consumer_destroy(long consumer);

  /** Returns the handle for a data path on the DPA. */
  public static native int doca_comch_consumer_get_dpa_handle(long consumer, long[] dpaConsumer);

  /** Returns the handle for a data path on a GPU. */
  public static native int doca_comch_consumer_get_gpu_handle(long consumer, long[] handle);

  /** Returns the id of a consumer for producers of the peer; never 0. */
  public static native int doca_comch_consumer_get_id(long consumer, int[] id);

  /** Returns the maximum number of bytes of immediate data that a consumer accepts. */
  public static native int doca_comch_consumer_get_imm_data_len(long consumer, int[] immDataLen);

  /** Sets the completion context of a consumer on the DPA. */
  public static native int doca_comch_consumer_set_completion(
      long consumer, long consumerComp, int userData);

  /** Sets the maximum number of receives of a consumer on the DPA. */
  public static native int doca_comch_consumer_set_dev_max_num_recv(long consumer, int devNumRecv);

  /** Sets the maximum number of bytes of immediate data of an idle consumer. */
  public static native int doca_comch_consumer_set_imm_data_len(long consumer, int immDataLen);

  /** Allocates a task that receives into a buffer; NO_MEMORY when all are in use. */
  public static native int doca_comch_consumer_task_post_recv_alloc_init(
      long consumer, long buf, long[] task);

  /** Returns the general task of a receive. */
  public static native long doca_comch_consumer_task_post_recv_as_task(long task);

  /** Returns the buffer of a task. */
  public static native long doca_comch_consumer_task_post_recv_get_buf(long task);

  /** Returns the address of the immediate data; valid until the task is used again. */
  public static native long doca_comch_consumer_task_post_recv_get_imm_data(long task);

  /** Returns the number of bytes of immediate data received. */
  public static native int doca_comch_consumer_task_post_recv_get_imm_data_len(long task);

  /** Returns the id of the producer; 0 when the task has received nothing. */
  public static native int doca_comch_consumer_task_post_recv_get_producer_id(long task);

  /** Sets the buffer of a task that is not submitted. */
  public static native void doca_comch_consumer_task_post_recv_set_buf(long task, long buf);

  /** Sets the number of tasks and the C callbacks of success and failure. */
  public static native int doca_comch_consumer_task_post_recv_set_conf(
      long consumer, long taskCompletionCb, long taskErrorCb, int numPostRecvTasks);

  // ---- Completion of consumers on the DPA ----

  /** Creates a completion context. */
  public static native int doca_comch_consumer_completion_create(long[] consumerComp);

  /** Destroys a completion context. */
  public static native int doca_comch_consumer_completion_destroy(long consumerComp);

  /** Returns the handle of a completion context on the DPA. */
  public static native int doca_comch_consumer_completion_get_dpa_handle(
      long consumerComp, long[] consumerCompHandle);

  /** Returns the maximum number of bytes of immediate data that a completion context accepts. */
  public static native int doca_comch_consumer_completion_get_imm_data_len(
      long consumerComp, int[] immDataLen);

  /** Returns the maximum number of consumers of a completion context. */
  public static native int doca_comch_consumer_completion_get_max_num_consumers(
      long consumerComp, int[] maxNumConsumers);

  /** Returns the maximum number of receives of a completion context. */
  public static native int doca_comch_consumer_completion_get_max_num_recv(
      long consumerComp, int[] maxNumRecv);

  /** Sets the thread of the DPA that completions wake. */
  public static native int doca_comch_consumer_completion_set_dpa_thread(
      long consumerComp, long dpaThread);

  /** Sets the maximum number of bytes of immediate data. */
  public static native int doca_comch_consumer_completion_set_imm_data_len(
      long consumerComp, int immDataLen);

  /** Sets the maximum number of consumers. */
  public static native int doca_comch_consumer_completion_set_max_num_consumers(
      long consumerComp, int maxNumConsumers);

  /** Sets the maximum number of receives. */
  public static native int doca_comch_consumer_completion_set_max_num_recv(
      long consumerComp, int maxNumRecv);

  /** Starts a completion context. */
  public static native int doca_comch_consumer_completion_start(long consumerComp);

  /** Stops a completion context. */
  public static native int doca_comch_consumer_completion_stop(long consumerComp);

  // ---- Producers ----

  /** Returns the context of a producer. */
  public static native long doca_comch_producer_as_ctx(long producer);

  /** Returns the maximum number of elements of a list of buffers; 1 means no lists. */
  public static native int doca_comch_producer_cap_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Returns the maximum buffer size in bytes. */
  public static native int doca_comch_producer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

  /** Returns the maximum number of tasks of one producer. */
  public static native int doca_comch_producer_cap_get_max_num_tasks(
      long devinfo, int[] maxNumTasks);

  /** Returns the maximum number of producers of one connection. */
  public static native int doca_comch_producer_cap_get_max_producers(
      long devinfo, int[] maxProducers);

  /** Returns SUCCESS when the device supports producers, else NOT_SUPPORTED. */
  public static native int doca_comch_producer_cap_is_supported(long devinfo);

  /** Creates an idle producer on a connection. */
  public static native int doca_comch_producer_create(long comchConnection, long[] producer);

  /** Destroys an idle producer; IN_USE when it is not idle. */
  public static native int doca_comch_producer_destroy(long producer);

  /** Attaches a completion context of the DPA. */
  public static native int doca_comch_producer_dpa_completion_attach(long producer, long dpaComp);

  /** Returns the handle for a data path on the DPA. */
  public static native int doca_comch_producer_get_dpa_handle(long producer, long[] dpaProducer);

  /** Returns the handle for a data path on a GPU. */
  public static native int doca_comch_producer_get_gpu_handle(long producer, long[] handle);

  /** Returns the id of a producer for consumers of the peer. */
  public static native int doca_comch_producer_get_id(long producer, int[] id);

  /** Sets the maximum number of sends of a producer on the DPA. */
  public static native int doca_comch_producer_set_dev_max_num_send(long producer, int devNumSend);

  /**
   * Allocates a task that fills a buffer that a consumer has posted; NO_MEMORY when all are in use.
   */
  public static native int doca_comch_producer_task_send_alloc_init(
      long producer, long buf, byte[] immData, int immDataLen, int consumerId, long[] task);

  /** Returns the general task of a send. */
  public static native long doca_comch_producer_task_send_as_task(long task);

  /** Returns the buffer of a task. */
  public static native long doca_comch_producer_task_send_get_buf(long task);

  /** Returns the consumer of a task. */
  public static native int doca_comch_producer_task_send_get_consumer_id(long task);

  /** Returns the address of the task's immediate data. */
  public static native long doca_comch_producer_task_send_get_imm_data(long task);

  /** Returns the number of bytes of immediate data of a task. */
  public static native int doca_comch_producer_task_send_get_imm_data_len(long task);

  /** Sets the buffer of a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_buf(long task, long buf);

  /** Sets the number of tasks and the C callbacks of success and failure. */
  public static native int doca_comch_producer_task_send_set_conf(
      long producer, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** Sets the consumer of a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_consumer_id(
      long task, int consumerId);

  /** Copies immediate data into a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_imm_data(
      long task, byte[] immData, int immDataLen);
}
