package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * libdoca_comch, directly mapped: messages between servers and clients, and the fast path of
 * producers and consumers. Names and arguments are those of DOCA; the package says how their kinds
 * show in Java.
 *
 * <p>An installation may lack this library: every function answers NOT_SUPPORTED then, as one does
 * that the library lacks. A library without those that are {@link #REQUIRED} counts as missing.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's that the object belongs
 * to; any for functions that take a device's description.
 */
public final class DocaComch {
  /** A library that lacks one of these is of no use. */
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

  // ---- What a device can do ----

  /** SUCCESS when the device can be a client's, else NOT_SUPPORTED. */
  public static native int doca_comch_cap_client_is_supported(long devinfo);

  /** Most clients of one server. */
  public static native int doca_comch_cap_get_max_clients(long devinfo, int[] numClients);

  /** Largest message in bytes. */
  public static native int doca_comch_cap_get_max_msg_size(long devinfo, int[] size);

  /** Longest name of a server in bytes, its NUL included. */
  public static native int doca_comch_cap_get_max_name_len(long devinfo, int[] maxNameLen);

  /** Most messages that wait to be received. */
  public static native int doca_comch_cap_get_max_recv_queue_size(long devinfo, int[] size);

  /** Most tasks that send messages, of one context. */
  public static native int doca_comch_cap_get_max_send_tasks(long devinfo, int[] maxSendTasks);

  /** SUCCESS when the device can be a server's, else NOT_SUPPORTED. */
  public static native int doca_comch_cap_server_is_supported(long devinfo);

  // ---- Servers and clients ----

  /** The context of a client. */
  public static native long doca_comch_client_as_ctx(long comchClient);

  /** Creates an idle client of the server of that name. */
  public static native int doca_comch_client_create(long dev, String name, long[] comchClient);

  /** Destroys an idle client; IN_USE when it is not idle or something of it is left. */
  public static native int doca_comch_client_destroy(long comchClient);

  /**
   * Says which C functions are called when the server's side has a new consumer and when one is
   * gone.
   */
  public static native int doca_comch_client_event_consumer_register(
      long comchClient, long newConsumerEventCb, long expiredConsumerEventCb);

  /** Says which C function is called for each message. */
  public static native int doca_comch_client_event_msg_recv_register(
      long comchClient, long recvEventCb);

  /** The opened device of a client. */
  public static native int doca_comch_client_get_device(long comchClient, long[] dev);

  /** Largest message of a client in bytes. */
  public static native int doca_comch_client_get_max_msg_size(long comchClient, int[] size);

  /** How many messages may wait to be received. */
  public static native int doca_comch_client_get_recv_queue_size(long comchClient, int[] size);

  /** Sets the largest message of an idle client. */
  public static native int doca_comch_client_set_max_msg_size(long comchClient, int size);

  /** Sets how many messages may wait for an idle client. */
  public static native int doca_comch_client_set_recv_queue_size(long comchClient, int size);

  /** The context of a server. */
  public static native long doca_comch_server_as_ctx(long comchServer);

  /**
   * Creates an idle server of that name for the function of the host that a representor stands for.
   */
  public static native int doca_comch_server_create(
      long dev, long repr, String name, long[] comchServer);

  /** Destroys an idle server; IN_USE when it is not idle or something of it is left. */
  public static native int doca_comch_server_destroy(long comchServer);

  /** Says which C functions are called when a client has come and when one has gone. */
  public static native int doca_comch_server_event_connection_status_changed_register(
      long comchServer, long connectEventCb, long disconnectEventCb);

  /**
   * Says which C functions are called when a client's side has a new consumer and when one is gone.
   */
  public static native int doca_comch_server_event_consumer_register(
      long comchServer, long newConsumerEventCb, long expiredConsumerEventCb);

  /** Says which C function is called for each message. */
  public static native int doca_comch_server_event_msg_recv_register(
      long comchServer, long recvEventCb);

  /** The opened device of a server. */
  public static native int doca_comch_server_get_device(long comchServer, long[] dev);

  /** The opened representor of a server. */
  public static native int doca_comch_server_get_device_rep(long comchServer, long[] rep);

  /** Largest message of a server in bytes. */
  public static native int doca_comch_server_get_max_msg_size(long comchServer, int[] size);

  /** How many messages of one client may wait to be received. */
  public static native int doca_comch_server_get_recv_queue_size(long comchServer, int[] size);

  /** Sets the largest message of an idle server. */
  public static native int doca_comch_server_set_max_msg_size(long comchServer, int size);

  /** Sets how many messages may wait for an idle server. */
  public static native int doca_comch_server_set_recv_queue_size(long comchServer, int size);

  // ---- Connections ----

  /** The client that a connection belongs to; 0 for a connection of a server. */
  public static native long doca_comch_client_get_client_ctx(long connection);

  /** The connection of a running client; BAD_STATE before. */
  public static native int doca_comch_client_get_connection(long comchClient, long[] connection);

  /** One of the counters that {@link #doca_comch_connection_update_info} has read. */
  public static native int doca_comch_connection_get_counter(
      long comchConnection, int counterType, long[] counterValue);

  /** What {@link #doca_comch_connection_set_user_data} has set. */
  public static native long doca_comch_connection_get_user_data(long connection);

  /** Attaches a word to a connection. */
  public static native int doca_comch_connection_set_user_data(long connection, long userData);

  /** Reads the counters of a connection. */
  public static native int doca_comch_connection_update_info(long comchConnection);

  /**
   * Ends a connection; IN_USE while it has consumers or producers, AGAIN while its queue is full.
   */
  public static native int doca_comch_server_disconnect(long comchServer, long connection);

  /** The server that a connection belongs to; 0 for a connection of a client. */
  public static native long doca_comch_server_get_server_ctx(long connection);

  // ---- Messages ----

  /** Takes a task that sends a message; NO_MEMORY when all are out. */
  public static native int doca_comch_client_task_send_alloc_init(
      long comchClient, long peer, long msg, int len, long[] task);

  /** Asks for tasks and says which C functions are called on success and on failure. */
  public static native int doca_comch_client_task_send_set_conf(
      long comchClient, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** Takes a task that sends a message to one client; NO_MEMORY when all are out. */
  public static native int doca_comch_server_task_send_alloc_init(
      long comchServer, long peer, long msg, int len, long[] task);

  /** Asks for tasks and says which C functions are called on success and on failure. */
  public static native int doca_comch_server_task_send_set_conf(
      long comchServer, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** The general task of a message. */
  public static native long doca_comch_task_send_as_task(long task);

  // ---- Consumers ----

  /** The context of a consumer. */
  public static native long doca_comch_consumer_as_ctx(long consumer);

  /** Most elements of a list of buffers; 1 means no lists. */
  public static native int doca_comch_consumer_cap_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Largest buffer in bytes. */
  public static native int doca_comch_consumer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

  /** Most consumers of one connection. */
  public static native int doca_comch_consumer_cap_get_max_consumers(
      long devinfo, int[] maxConsumers);

  /** Most bytes of immediate data. */
  public static native int doca_comch_consumer_cap_get_max_imm_data_len(
      long devinfo, int[] maxImmDataLen);

  /** Most tasks of one consumer. */
  public static native int doca_comch_consumer_cap_get_max_num_tasks(
      long devinfo, int[] maxNumTasks);

  /** SUCCESS when the device can have consumers, else NOT_SUPPORTED. */
  public static native int doca_comch_consumer_cap_is_supported(long devinfo);

  /** Creates an idle consumer on a connection, for buffers of a map that the PCI bus may write. */
  public static native int doca_comch_consumer_create(
      long comchConnection, long bufMmap, long[] consumer);

  /** Destroys an idle consumer; IN_USE when it is not idle. */
  public static native int doca_comch_consumer_destroy(long consumer);

  /** Handle for a data path on the DPA. */
  public static native int doca_comch_consumer_get_dpa_handle(long consumer, long[] dpaConsumer);

  /** Handle for a data path on a GPU. */
  public static native int doca_comch_consumer_get_gpu_handle(long consumer, long[] handle);

  /** What producers of the other side name a consumer by; never 0. */
  public static native int doca_comch_consumer_get_id(long consumer, int[] id);

  /** Most bytes of immediate data that a consumer takes. */
  public static native int doca_comch_consumer_get_imm_data_len(long consumer, int[] immDataLen);

  /** Sets the completion context of a consumer on the DPA. */
  public static native int doca_comch_consumer_set_completion(
      long consumer, long consumerComp, int userData);

  /** Sets the most receives of a consumer on the DPA. */
  public static native int doca_comch_consumer_set_dev_max_num_recv(long consumer, int devNumRecv);

  /** Sets the most bytes of immediate data of an idle consumer. */
  public static native int doca_comch_consumer_set_imm_data_len(long consumer, int immDataLen);

  /** Takes a task that receives into a buffer; NO_MEMORY when all are out. */
  public static native int doca_comch_consumer_task_post_recv_alloc_init(
      long consumer, long buf, long[] task);

  /** The general task of a receive. */
  public static native long doca_comch_consumer_task_post_recv_as_task(long task);

  /** Buffer of a task. */
  public static native long doca_comch_consumer_task_post_recv_get_buf(long task);

  /** Address of the immediate data; valid until the task is used again. */
  public static native long doca_comch_consumer_task_post_recv_get_imm_data(long task);

  /** Bytes of immediate data that came. */
  public static native int doca_comch_consumer_task_post_recv_get_imm_data_len(long task);

  /** Which producer it came from; 0 when the task has received nothing. */
  public static native int doca_comch_consumer_task_post_recv_get_producer_id(long task);

  /** Sets the buffer of a task that is not submitted. */
  public static native void doca_comch_consumer_task_post_recv_set_buf(long task, long buf);

  /** Asks for tasks and says which C functions are called on success and on failure. */
  public static native int doca_comch_consumer_task_post_recv_set_conf(
      long consumer, long taskCompletionCb, long taskErrorCb, int numPostRecvTasks);

  // ---- Completion of consumers on the DPA ----

  /** Creates a completion context. */
  public static native int doca_comch_consumer_completion_create(long[] consumerComp);

  /** Destroys a completion context. */
  public static native int doca_comch_consumer_completion_destroy(long consumerComp);

  /** Handle of a completion context on the DPA. */
  public static native int doca_comch_consumer_completion_get_dpa_handle(
      long consumerComp, long[] consumerCompHandle);

  /** Most bytes of immediate data that a completion context takes. */
  public static native int doca_comch_consumer_completion_get_imm_data_len(
      long consumerComp, int[] immDataLen);

  /** Most consumers of a completion context. */
  public static native int doca_comch_consumer_completion_get_max_num_consumers(
      long consumerComp, int[] maxNumConsumers);

  /** Most receives of a completion context. */
  public static native int doca_comch_consumer_completion_get_max_num_recv(
      long consumerComp, int[] maxNumRecv);

  /** Sets the thread of the DPA that is woken by completions. */
  public static native int doca_comch_consumer_completion_set_dpa_thread(
      long consumerComp, long dpaThread);

  /** Sets the most bytes of immediate data. */
  public static native int doca_comch_consumer_completion_set_imm_data_len(
      long consumerComp, int immDataLen);

  /** Sets the most consumers. */
  public static native int doca_comch_consumer_completion_set_max_num_consumers(
      long consumerComp, int maxNumConsumers);

  /** Sets the most receives. */
  public static native int doca_comch_consumer_completion_set_max_num_recv(
      long consumerComp, int maxNumRecv);

  /** Starts a completion context. */
  public static native int doca_comch_consumer_completion_start(long consumerComp);

  /** Stops a completion context. */
  public static native int doca_comch_consumer_completion_stop(long consumerComp);

  // ---- Producers ----

  /** The context of a producer. */
  public static native long doca_comch_producer_as_ctx(long producer);

  /** Most elements of a list of buffers; 1 means no lists. */
  public static native int doca_comch_producer_cap_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Largest buffer in bytes. */
  public static native int doca_comch_producer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

  /** Most tasks of one producer. */
  public static native int doca_comch_producer_cap_get_max_num_tasks(
      long devinfo, int[] maxNumTasks);

  /** Most producers of one connection. */
  public static native int doca_comch_producer_cap_get_max_producers(
      long devinfo, int[] maxProducers);

  /** SUCCESS when the device can have producers, else NOT_SUPPORTED. */
  public static native int doca_comch_producer_cap_is_supported(long devinfo);

  /** Creates an idle producer on a connection. */
  public static native int doca_comch_producer_create(long comchConnection, long[] producer);

  /** Destroys an idle producer; IN_USE when it is not idle. */
  public static native int doca_comch_producer_destroy(long producer);

  /** Attaches a completion context of the DPA. */
  public static native int doca_comch_producer_dpa_completion_attach(long producer, long dpaComp);

  /** Handle for a data path on the DPA. */
  public static native int doca_comch_producer_get_dpa_handle(long producer, long[] dpaProducer);

  /** Handle for a data path on a GPU. */
  public static native int doca_comch_producer_get_gpu_handle(long producer, long[] handle);

  /** What consumers of the other side know a producer by. */
  public static native int doca_comch_producer_get_id(long producer, int[] id);

  /** Sets the most sends of a producer on the DPA. */
  public static native int doca_comch_producer_set_dev_max_num_send(long producer, int devNumSend);

  /** Takes a task that fills a buffer that a consumer has posted; NO_MEMORY when all are out. */
  public static native int doca_comch_producer_task_send_alloc_init(
      long producer, long buf, byte[] immData, int immDataLen, int consumerId, long[] task);

  /** The general task of a send. */
  public static native long doca_comch_producer_task_send_as_task(long task);

  /** Buffer of a task. */
  public static native long doca_comch_producer_task_send_get_buf(long task);

  /** Consumer of a task. */
  public static native int doca_comch_producer_task_send_get_consumer_id(long task);

  /** Address of the task's immediate data. */
  public static native long doca_comch_producer_task_send_get_imm_data(long task);

  /** Bytes of immediate data of a task. */
  public static native int doca_comch_producer_task_send_get_imm_data_len(long task);

  /** Sets the buffer of a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_buf(long task, long buf);

  /** Asks for tasks and says which C functions are called on success and on failure. */
  public static native int doca_comch_producer_task_send_set_conf(
      long producer, long taskCompletionCb, long taskErrorCb, int numSendTasks);

  /** Sets the consumer of a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_consumer_id(
      long task, int consumerId);

  /** Copies immediate data into a task that is not submitted. */
  public static native void doca_comch_producer_task_send_set_imm_data(
      long task, byte[] immData, int immDataLen);
}
