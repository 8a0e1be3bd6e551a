package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaComch;

/** One kind of context of libdoca_comch, with its DOCA functions. */
final class ComchKind {
  static final ComchKind SERVER =
      new ComchKind(
          "server",
          DocaComch::doca_comch_server_destroy,
          DocaComch::doca_comch_server_as_ctx,
          DocaComch::doca_comch_server_get_max_msg_size);
  static final ComchKind CLIENT =
      new ComchKind(
          "client",
          DocaComch::doca_comch_client_destroy,
          DocaComch::doca_comch_client_as_ctx,
          DocaComch::doca_comch_client_get_max_msg_size);
  static final ComchKind CONSUMER =
      new ComchKind(
          "consumer",
          DocaComch::doca_comch_consumer_destroy,
          DocaComch::doca_comch_consumer_as_ctx,
          DocaComch::doca_comch_consumer_get_id);
  static final ComchKind PRODUCER =
      new ComchKind(
          "producer",
          DocaComch::doca_comch_producer_destroy,
          DocaComch::doca_comch_producer_as_ctx,
          DocaComch::doca_comch_producer_get_id);

  private static final int ROLE_SERVER = 0;
  private static final int ROLE_CLIENT = 1;

  private interface AsContext {
    long of(long object);
  }

  private interface Getter {
    int get(long object, int[] value);
  }

  private final String name;
  private final DocaContext.Destructor destructor;
  private final AsContext asContext;
  private final Getter getter;

  private ComchKind(
      String name, DocaContext.Destructor.ToCode destroy, AsContext asContext, Getter getter) {
    this.name = name;
    this.destructor = new DocaContext.Destructor(function("destroy"), destroy);
    this.asContext = asContext;
    this.getter = getter;
  }

  /**
   * Returns the kind of a context, out of the given kinds. Engine's thread.
   *
   * @throws IllegalArgumentException if the context is of another kind
   * @throws IllegalStateException if the context was destroyed
   */
  static ComchKind of(DocaContext context, String operation, ComchKind... kinds) {
    context.checkUse(operation);
    for (ComchKind kind : kinds) {
      if (context.destructor().equals(kind.destructor)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(operation + ": not for " + context);
  }

  /** Returns the bridge's number for server or client. */
  int role() {
    return isServer() ? ROLE_SERVER : ROLE_CLIENT;
  }

  /** Returns the number that a getter of this kind writes. */
  int number(DocaContext context, String verb) {
    int[] value = new int[1];
    DocaException.check(function(verb), getter.get(context.object(verb), value), context.name());
    return value[0];
  }

  /** Sets the limits of a server or client; a failure destroys it. */
  void setLimits(long object, MessageLimits limits, String about) {
    int bytes = limits.maxMessageBytes();
    checkSet(
        object,
        "set_max_msg_size",
        isServer()
            ? DocaComch.doca_comch_server_set_max_msg_size(object, bytes)
            : DocaComch.doca_comch_client_set_max_msg_size(object, bytes),
        about + ": " + bytes);
    int queue = limits.recvQueue();
    checkSet(
        object,
        "set_recv_queue_size",
        isServer()
            ? DocaComch.doca_comch_server_set_recv_queue_size(object, queue)
            : DocaComch.doca_comch_client_set_recv_queue_size(object, queue),
        about + ": " + queue);
  }

  /**
   * Checks the result of creating an object on a connection. DOCA answers BAD_STATE for a
   * connection that is not established. A connection with a number was established, so it has
   * ended, possibly before its record.
   *
   * @throws DocaException NOT_CONNECTED if the connection has ended
   */
  void checkCreated(int answer, String about) {
    if (answer == DocaCode.BAD_STATE.value()) {
      throw new DocaException(
          function("create"),
          DocaCode.NOT_CONNECTED,
          about + ", which has ended (" + DocaCode.BAD_STATE.docaName() + ")");
    }
    DocaException.check(function("create"), answer, about);
  }

  /** Checks the result of a setter of a new object; a failure destroys the object. */
  void checkSet(long object, String verb, int answer, String about) {
    if (answer != DocaCode.SUCCESS.value()) {
      DocaException e = new DocaException(DocaError.of(function(verb), answer, about));
      Suppressed.add(e, destructor.function(), destructor.call().apply(object));
      throw e;
    }
  }

  /** Connects a new object to the bridge; a failure destroys it. */
  DocaContext attach(ProgressEngine engine, String about, long object, long userData) {
    return DocaContext.attach(engine, about, object, asContext.of(object), destructor, userData);
  }

  private boolean isServer() {
    return name.equals("server");
  }

  private String function(String verb) {
    return "doca_comch_" + name + "_" + verb;
  }

  /** Returns the name in DOCA's functions. */
  @Override
  public String toString() {
    return name;
  }
}
