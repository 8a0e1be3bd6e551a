package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.Set;

/**
 * Contexts of {@code doca_rdma}: memory of peers, and messages to them.
 *
 * <p>A number identifies a connection. The connection begins with {@link #export}, {@link
 * #connect(DocaContext, Address)} or a record of {@link RecordType#REQUESTED}, and ends with {@link
 * #disconnect}. The bridge refuses the number of an ended connection. At least 65,534 later
 * connections have other numbers.
 *
 * <p>Thread: the engine's.
 */
public final class Rdma {
  private static final String LIBRARY = "doca_rdma";
  private static final int IPV6 = 1;

  private Rdma() {}

  /**
   * Properties of a context.
   *
   * @param permissions what peers may do with memory that allows it too
   * @param gidIndex index in the device's table of global identifiers
   * @param sendQueue number of tasks on connections at once
   * @param maxConnections number of connections at once, 1 to 65535
   * @param rnrRetries retries of a message without a posted receive, 0 to 7; 7: without end
   * @param requestTimeoutMs limit for the establishment of a connection, 1 to 65535
   */
  public record Properties(
      Set<Permission> permissions,
      int gidIndex,
      int sendQueue,
      int maxConnections,
      int rnrRetries,
      int requestTimeoutMs) {}

  /** The address of a listening context. Close it after the connections that use it. */
  public static final class Address implements AutoCloseable {
    private final long pointer;
    private boolean closed;

    private Address(long pointer) {
      this.pointer = pointer;
    }

    /**
     * Creates an address.
     *
     * @param host IPv4 or IPv6 address in digits; an IPv6 address may be a GID
     * @throws DocaException INVALID_VALUE for other text
     */
    public static Address of(String host, int port) {
      long[] address = new long[1];
      int type = host.indexOf(':') < 0 ? 0 : IPV6;
      String about = host + ":" + port;
      check("addr_create", code("addr_create", type, host, port, address), about);
      if (address[0] == 0) { // some SDKs report success for an invalid address
        check("addr_create", DocaCode.INVALID_VALUE.value(), about);
      }
      return new Address(address[0]);
    }

    /** Frees the address. Idempotent. */
    @Override
    public void close() {
      if (!closed) {
        check("addr_destroy", code("addr_destroy", pointer), "");
        closed = true;
      }
    }
  }

  /**
   * A connection that waits for a peer.
   *
   * @param connection its number
   * @param details description for the peer's {@link #connect(DocaContext, int, byte[])}
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares exports
  public record Exported(int connection, byte[] details) {}

  /** Returns whether the device of a description executes RDMA tasks. */
  public static boolean isSupported(long devinfo) {
    return code("cap_task_write_is_supported", devinfo) == 0;
  }

  /**
   * Creates an idle context.
   *
   * @param userData all events of this context repeat it
   * @throws DocaException INVALID_VALUE for properties that the device does not accept;
   *     NOT_SUPPORTED without the library
   */
  public static DocaContext create(
      ProgressEngine engine, Device device, Properties properties, long userData) {
    engine.checkUse("Rdma.create");
    String name = "rdma on " + device.pciAddress();
    long[] object = new long[1];
    check("create", code("create", device.pointer(), object), name + engine.library().lacking());
    DocaContext context =
        DocaContext.attach(
            engine,
            name,
            object[0],
            NamedFunctions.pointer(LIBRARY, "as_ctx", object[0]),
            new DocaContext.Destructor("doca_rdma_destroy", rdma -> code("destroy", rdma)),
            userData);
    try {
      set(object[0], properties);
      DocaException.check(
          "dpubridge_rdma_configure",
          DpuBridge.dpubridge_rdma_configure(engine.bridge(), context.handle()),
          name);
      return context;
    } catch (DocaException e) {
      Suppressed.run(e, context::destroy);
      throw e;
    }
  }

  private static void set(long rdma, Properties properties) {
    set(rdma, "permissions", Permission.mask(properties.permissions()));
    set(rdma, "gid_index", properties.gidIndex());
    set(rdma, "send_queue_size", properties.sendQueue());
    set(rdma, "max_num_connections", properties.maxConnections());
    set(rdma, "rnr_retry_count", properties.rnrRetries());
    set(rdma, "connection_request_timeout", properties.requestTimeoutMs());
  }

  private static void set(long rdma, String property, int value) {
    check("set_" + property, code("set_" + property, rdma, value), property + " " + value);
  }

  /**
   * Lets clients request connections. Each request arrives as {@link RecordType#REQUESTED}.
   *
   * @throws DocaException ALREADY_EXIST if another context listens to the port
   */
  public static void listen(DocaContext context, int port) {
    check(
        "start_listen_to_port",
        code("start_listen_to_port", context.object("listen"), port),
        "port " + port + " of " + context);
  }

  /** Refuses further requests. */
  public static void stopListening(DocaContext context, int port) {
    check(
        "stop_listen_to_port",
        code("stop_listen_to_port", context.object("stopListening"), port),
        "port " + port + " of " + context);
  }

  /**
   * Accepts a requested connection. {@link RecordType#CONNECTED} follows.
   *
   * @throws DocaException CONNECTION_ABORTED or NOT_CONNECTED if the client has cancelled the
   *     request
   */
  public static void accept(DocaContext context, int connection) {
    long pointer = pointer(context, connection);
    check(
        "connection_accept", code("connection_accept", pointer, 0L, 0), about(context, connection));
  }

  /** Rejects a requested connection. {@link #disconnect} ends its number afterwards. */
  public static void reject(DocaContext context, int connection) {
    long pointer = pointer(context, connection);
    check("connection_reject", code("connection_reject", pointer), about(context, connection));
  }

  /**
   * Connects to a listening context. {@link RecordType#CONNECTED} or {@link
   * RecordType#DISCONNECTED} follows.
   *
   * @return the number of the connection
   * @throws DocaException FULL if the context has no room
   */
  public static int connect(DocaContext context, Address address) {
    context.checkUse("connect");
    int[] connection = new int[1];
    DocaException.check(
        "doca_rdma_connect_to_addr",
        DpuBridge.dpubridge_rdma_connect(
            context.engine().bridge(), context.handle(), address.pointer, connection),
        context.name());
    return connection[0];
  }

  /**
   * Begins a connection and describes it for the peer. The program carries the description.
   *
   * @throws DocaException FULL if the context has no room
   */
  public static Exported export(DocaContext context) {
    long[] details = new long[1];
    long[] length = new long[1];
    long[] pointer = new long[1];
    check(
        "export",
        code("export", context.object("export"), details, length, pointer),
        context.name());
    byte[] copy = new byte[Math.toIntExact(length[0])];
    DpuBridge.view(details[0], copy.length).get(copy);
    int[] connection = new int[1];
    DocaException.check(
        "dpubridge_rdma_adopt",
        DpuBridge.dpubridge_rdma_adopt(
            context.engine().bridge(), context.handle(), pointer[0], connection),
        context.name());
    return new Exported(connection[0], copy);
  }

  /**
   * Connects an exported connection with the one that a peer has described. Tasks may follow at
   * once.
   *
   * @throws DocaException CONNECTION_ABORTED for a damaged description, or a peer that has ended
   */
  public static void connect(DocaContext context, int connection, byte[] details) {
    long pointer = pointer(context, connection);
    check(
        "connect",
        code("connect", context.object("connect"), details, (long) details.length, pointer),
        about(context, connection));
  }

  /**
   * Ends a connection and its number.
   *
   * @return SUCCESS: tasks in flight fail now; AGAIN: it is being established; NOT_FOUND: it has
   *     ended
   */
  public static DocaCode disconnect(DocaContext context, int connection) {
    context.checkUse("disconnect");
    int raw =
        DpuBridge.dpubridge_rdma_disconnect(
            context.engine().bridge(), context.handle(), connection);
    DocaCode code = DocaCode.of(raw);
    return switch (code) {
      case SUCCESS, AGAIN, NOT_FOUND -> code;
      default ->
          throw new DocaException(
              DocaError.of("doca_rdma_connection_disconnect", raw, about(context, connection)));
    };
  }

  private static long pointer(DocaContext context, int connection) {
    context.checkUse("connection");
    long pointer = DpuBridge.dpubridge_connection_pointer(context.engine().bridge(), connection);
    if (pointer == 0) {
      throw new DocaException(
          "dpubridge_connection_pointer", DocaCode.NOT_CONNECTED, about(context, connection));
    }
    return pointer;
  }

  private static String about(DocaContext context, int connection) {
    return "connection 0x" + Integer.toHexString(connection) + " of " + context;
  }

  private static int code(String function, Object... arguments) {
    return NamedFunctions.code(LIBRARY, function, arguments);
  }

  private static void check(String function, int answer, String about) {
    DocaException.check(LIBRARY + "_" + function, answer, about);
  }
}
