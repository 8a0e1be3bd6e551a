package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DocaComch;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.SoftDpuComch;

/**
 * Contexts of {@code doca_comch}, the communication channel between host and DPU. Servers and
 * clients exchange messages on connections; producers and consumers on a connection move data into
 * buffers that the receiver has posted.
 *
 * <p>A number identifies a connection. A server's connection begins with {@link
 * RecordType#CONNECTED} and ends with {@link RecordType#DISCONNECTED} or a successful {@link
 * #disconnect}. A client's connection ends when the client is idle. The bridge refuses the number
 * of an ended connection. At least 65,534 later connections have other numbers.
 *
 * <p>Thread: the engine's.
 */
public final class Comch {
  private Comch() {}

  /**
   * Creates an idle server, which accepts clients once it is started. The server's messages are
   * tasks of {@link TaskKind#COMCH_SERVER_SEND}.
   *
   * @param representor the host function of the clients
   * @param name name that clients connect to
   * @param userData all events of this context repeat it
   * @throws DocaException INVALID_VALUE for a name or limits that device or engine do not accept;
   *     NOT_SUPPORTED on a device of the host's side, or, naming the library, without libdoca_comch
   */
  public static DocaContext server(
      ProgressEngine engine,
      Device device,
      Representor representor,
      String name,
      MessageLimits limits,
      long userData) {
    engine.checkUse("Comch.server");
    String about = "comch server \"%s\" on %s for %s".formatted(checked(name), device, representor);
    long[] server = new long[1];
    DocaException.check(
        "doca_comch_server_create",
        DocaComch.doca_comch_server_create(device.pointer(), representor.pointer(), name, server),
        about + engine.library().lacking());
    return control(engine, ComchKind.SERVER, about, server[0], limits, userData);
  }

  /**
   * Creates an idle client, which connects once it is started: {@link ContextState#RUNNING} means
   * connected, {@link ContextState#IDLE} without it means that there is no such server. The
   * client's messages are tasks of {@link TaskKind#COMCH_CLIENT_SEND}.
   *
   * @param name of the server
   * @param userData all events of this context repeat it
   * @throws DocaException INVALID_VALUE for a name or limits that device or engine do not accept;
   *     NOT_SUPPORTED on a device of the DPU's side, or, naming the library, without libdoca_comch
   */
  public static DocaContext client(
      ProgressEngine engine, Device device, String name, MessageLimits limits, long userData) {
    engine.checkUse("Comch.client");
    String about = "comch client of \"%s\" on %s".formatted(checked(name), device);
    long[] client = new long[1];
    DocaException.check(
        "doca_comch_client_create",
        DocaComch.doca_comch_client_create(device.pointer(), name, client),
        about + engine.library().lacking());
    return control(engine, ComchKind.CLIENT, about, client[0], limits, userData);
  }

  /**
   * Creates an idle consumer on a connection. The consumer's receives are tasks of {@link
   * TaskKind#COMCH_CONSUMER_RECV}. The consumer must be idle, and should be destroyed, before the
   * connection ends.
   *
   * @param memory memory of the buffers; allocated with {@link Permission#PCI_READ_WRITE} on the
   *     device of the connection
   * @param immediateBytes largest immediate data of a buffer, 0 to {@link
   *     SubmissionRing#MAX_IMMEDIATE_BYTES}
   * @param userData the context's state records repeat it
   * @throws DocaException NOT_CONNECTED if the connection has ended, even before its record
   */
  public static DocaContext consumer(
      ProgressEngine engine, int connection, MemoryMap memory, int immediateBytes, long userData) {
    engine.checkUse("Comch.consumer");
    if (immediateBytes < 0 || immediateBytes > SubmissionRing.MAX_IMMEDIATE_BYTES) {
      throw new IllegalArgumentException(immediateBytes + " bytes of immediate data");
    }
    String about = about(ComchKind.CONSUMER, connection);
    long[] consumer = new long[1];
    ComchKind.CONSUMER.checkCreated(
        DocaComch.doca_comch_consumer_create(
            pointer(engine, connection, about), memory.pointer(), consumer),
        about);
    ComchKind.CONSUMER.checkSet(
        consumer[0],
        "set_imm_data_len",
        DocaComch.doca_comch_consumer_set_imm_data_len(consumer[0], immediateBytes),
        about);
    return ComchKind.CONSUMER.attach(engine, about, consumer[0], userData);
  }

  /**
   * Creates an idle producer on a connection. The producer's sends are tasks of {@link
   * TaskKind#COMCH_PRODUCER_SEND}. The producer must be idle, and should be destroyed, before the
   * connection ends.
   *
   * @param userData the context's state records repeat it
   * @throws DocaException NOT_CONNECTED if the connection has ended, even before its record
   */
  public static DocaContext producer(ProgressEngine engine, int connection, long userData) {
    engine.checkUse("Comch.producer");
    String about = about(ComchKind.PRODUCER, connection);
    long[] producer = new long[1];
    ComchKind.PRODUCER.checkCreated(
        DocaComch.doca_comch_producer_create(pointer(engine, connection, about), producer), about);
    return ComchKind.PRODUCER.attach(engine, about, producer[0], userData);
  }

  /**
   * Returns the connection of a client.
   *
   * @throws DocaException BAD_STATE unless the client is running
   */
  public static int connection(DocaContext client) {
    ComchKind.of(client, "connection", ComchKind.CLIENT);
    int[] connection = new int[1];
    DocaException.check(
        "dpubridge_comch_connection",
        DpuBridge.dpubridge_comch_connection(client.engine().bridge(), client.handle(), connection),
        client.name());
    return connection[0];
  }

  /**
   * Closes a connection of a server.
   *
   * @return SUCCESS: closed, without a record; AGAIN: try again later; IN_USE: producers or
   *     consumers exist on it; NOT_FOUND: it had ended before
   */
  public static DocaCode disconnect(DocaContext server, int connection) {
    ComchKind.of(server, "disconnect", ComchKind.SERVER);
    int raw =
        DpuBridge.dpubridge_comch_disconnect(server.engine().bridge(), server.handle(), connection);
    DocaCode code = DocaCode.of(raw);
    return switch (code) {
      case SUCCESS, AGAIN, IN_USE, NOT_FOUND -> code;
      default ->
          throw new DocaException(
              DocaError.of(
                  "doca_comch_server_disconnect",
                  raw,
                  "connection " + hex(connection) + " of " + server));
    };
  }

  /** Returns the id of a consumer or producer for the other side; never 0. */
  public static int id(DocaContext consumerOrProducer) {
    return ComchKind.of(consumerOrProducer, "id", ComchKind.CONSUMER, ComchKind.PRODUCER)
        .number(consumerOrProducer, "get_id");
  }

  /** Returns the longest message of a server or client, as configured. */
  public static int maxMessageBytes(DocaContext serverOrClient) {
    return ComchKind.of(serverOrClient, "maxMessageBytes", ComchKind.SERVER, ComchKind.CLIENT)
        .number(serverOrClient, "get_max_msg_size");
  }

  /**
   * Reports why a client that is idle again has not connected.
   *
   * @return SUCCESS if the library does not say; the software DPU says NOT_FOUND, FULL, TIME_OUT or
   *     CONNECTION_ABORTED
   */
  public static DocaCode failure(DocaContext client) {
    ComchKind.of(client, "failure", ComchKind.CLIENT);
    return DocaCode.of(SoftDpuComch.failureOf(client.object("failure")));
  }

  private static String checked(String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the name of a comch server has no NUL inside");
    }
    return name;
  }

  private static String about(ComchKind kind, int connection) {
    return "comch " + kind + " on connection " + hex(connection);
  }

  private static String hex(int connection) {
    return "0x" + Integer.toHexString(connection);
  }

  private static long pointer(ProgressEngine engine, int connection, String about) {
    long pointer = DpuBridge.dpubridge_connection_pointer(engine.bridge(), connection);
    if (pointer == 0) {
      throw new DocaException("dpubridge_connection_pointer", DocaCode.NOT_CONNECTED, about);
    }
    return pointer;
  }

  private static DocaContext control(
      ProgressEngine engine,
      ComchKind kind,
      String about,
      long object,
      MessageLimits limits,
      long userData) {
    kind.setLimits(object, limits, about);
    DocaContext context = kind.attach(engine, about, object, userData);
    try {
      DocaException.check(
          "dpubridge_comch_configure",
          DpuBridge.dpubridge_comch_configure(engine.bridge(), context.handle(), kind.role()),
          about + ", messages of " + limits.maxMessageBytes() + " bytes");
      return context;
    } catch (DocaException e) {
      Suppressed.run(e, context::destroy);
      throw e;
    }
  }
}
