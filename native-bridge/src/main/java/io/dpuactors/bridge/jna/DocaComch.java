package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * The functions of libdoca_comch that main code calls, directly mapped: servers, clients, producers
 * and consumers. Names and arguments are those of DOCA; the package describes how their types map
 * to Java.
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

  /** Returns the maximum message size of a client in bytes. */
  public static native int doca_comch_client_get_max_msg_size(long comchClient, int[] size);

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

  /** Returns the maximum message size of a server in bytes. */
  public static native int doca_comch_server_get_max_msg_size(long comchServer, int[] size);

  /** Sets the maximum message size of an idle server. */
  public static native int doca_comch_server_set_max_msg_size(long comchServer, int size);

  /** Sets the size of the receive queue of an idle server, in messages. */
  public static native int doca_comch_server_set_recv_queue_size(long comchServer, int size);

  // ---- Consumers ----

  /** Returns the context of a consumer. */
  public static native long doca_comch_consumer_as_ctx(long consumer);

  /** Returns the maximum buffer size in bytes. */
  public static native int doca_comch_consumer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

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

  /** Returns the id of a consumer for producers of the peer; never 0. */
  public static native int doca_comch_consumer_get_id(long consumer, int[] id);

  /** Sets the maximum number of bytes of immediate data of an idle consumer. */
  public static native int doca_comch_consumer_set_imm_data_len(long consumer, int immDataLen);

  // ---- Producers ----

  /** Returns the context of a producer. */
  public static native long doca_comch_producer_as_ctx(long producer);

  /** Returns the maximum buffer size in bytes. */
  public static native int doca_comch_producer_cap_get_max_buf_size(long devinfo, int[] maxBufSize);

  /** Returns the maximum number of tasks of one producer. */
  public static native int doca_comch_producer_cap_get_max_num_tasks(
      long devinfo, int[] maxNumTasks);

  /** Returns SUCCESS when the device supports producers, else NOT_SUPPORTED. */
  public static native int doca_comch_producer_cap_is_supported(long devinfo);

  /** Creates an idle producer on a connection. */
  public static native int doca_comch_producer_create(long comchConnection, long[] producer);

  /** Destroys an idle producer; IN_USE when it is not idle. */
  public static native int doca_comch_producer_destroy(long producer);

  /** Returns the id of a producer for consumers of the peer. */
  public static native int doca_comch_producer_get_id(long producer, int[] id);
}
