package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.bridge.internal.RecordType;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The load of an RDMA context: its connections and its receives. Engine's thread. */
public final class RdmaLoad extends ConnectionsLoad<RdmaConnectionNode> {
  private final RdmaLinkSettings settings;
  private final RdmaReceives receives;
  private final RdmaPort port = new RdmaPort(this);
  private @Nullable RdmaMemory memory;
  private @Nullable DocaContext running;
  private @Nullable DocaError closed;
  private boolean isStopping;

  /**
   * Creates the load of a context that does not run yet.
   *
   * @param tasks number of tasks on the device at once, over all connections
   * @param receives number of posted receives
   */
  public RdmaLoad(
      EngineCore core, String name, RdmaLinkSettings settings, int tasks, int receives) {
    super(core, name, tasks);
    this.settings = settings;
    this.receives = new RdmaReceives(core, name, receives, this::onMessage);
  }

  /** Sets the memory, before the context runs. */
  public void use(RdmaMemory opened) {
    memory = opened;
  }

  RdmaMemory memory() {
    return Objects.requireNonNull(memory, "the memory of a context that has opened");
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    super.belongTo(carrier);
    receives.belongTo(carrier);
  }

  RdmaLinkSettings settings() {
    return settings;
  }

  @Override
  public void reserve(String context, Map<TaskKind, TaskLimits> configured) {
    super.reserve(context, configured);
    receives.reserve();
  }

  @Override
  public void destroyed() {
    super.destroyed();
    receives.destroyed();
  }

  @Override
  public void open(DocaContext context, Map<TaskKind, TaskLimits> configured) {
    running = context;
    receives.open(context, memory().receives());
  }

  /**
   * A connection that waits for its peer.
   *
   * @param details description for the peer
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares exports
  public record Exported(RdmaConnectionNode connection, byte[] details) {}

  /**
   * Begins a connection that waits for its peer without a limit.
   *
   * @throws DocaException BAD_STATE while the context does not run; FULL
   */
  public Exported export() {
    DocaContext context = usable("export");
    Rdma.Exported exported = Rdma.export(context);
    return new Exported(begin(context, exported.connection(), Nanos.FOREVER), exported.details());
  }

  /**
   * Lets peers connect to a port.
   *
   * @param taker takes over each new connection: calls {@link RdmaConnectionNode#own}
   * @throws DocaException BAD_STATE while the context does not run; IN_USE if it listens; the error
   *     of the device
   */
  public void listen(int number, Consumer<RdmaConnectionNode> taker) {
    port.open(usable("listen"), number, taker);
  }

  /** Refuses further requests. Idempotent. */
  public void stopListening() {
    port.close(running());
  }

  /** Returns the number of accepted connections since the context started. */
  public long accepted() {
    return port.accepted();
  }

  /** Returns the number of requests that failed or arrived too late. */
  public long refused() {
    return port.refused();
  }

  /**
   * Returns a connection to a listening context, which begins in its first turn.
   *
   * @param host address in digits
   */
  public RdmaConnectionNode connect(String host, int portNumber) {
    return add(new RdmaConnectionNode(this, core.nodes().nextId(), host, portNumber));
  }

  /** Adds a connection that the device has begun. */
  RdmaConnectionNode begin(DocaContext context, int number, long startNs) {
    RdmaConnectionNode fresh =
        add(new RdmaConnectionNode(this, core.nodes().nextId(), context, number, startNs));
    connections.put(number, fresh);
    return fresh;
  }

  /**
   * Begins the attempt of a connection.
   *
   * @return the number of the connection
   * @throws DocaException the reason while the context does not run; FULL
   */
  int connect(RdmaConnectionNode node, Rdma.Address address) {
    int number = Rdma.connect(usable("connect"), address);
    connections.put(number, node);
    return number;
  }

  /** Returns the running context, or null. */
  public @Nullable DocaContext running() {
    return closed == null ? running : null;
  }

  /**
   * Returns the running context.
   *
   * @throws DocaException the reason, if the context does not run
   */
  public DocaContext usable(String operation) {
    DocaContext context = running;
    DocaError reason = closed;
    if (reason != null) {
      throw new DocaException(reason);
    }
    if (context == null) {
      throw new DocaException(operation, DocaCode.BAD_STATE, name + " starts and does not run yet");
    }
    return context;
  }

  @Override
  public void onEvent(CompletionRing record) {
    if (record.type() == RecordType.REQUESTED) {
      port.requested(Objects.requireNonNull(running, "the running context"), record.connection());
      return;
    }
    RdmaConnectionNode known = connections.get(record.connection());
    if (known == null) {
      return;
    }
    switch (record.type()) {
      case CONNECTED -> {
        known.connected();
        port.connected(known);
      }
      case DISCONNECTED -> known.peerGone(record.status());
      default -> throw new IllegalStateException(name + " got " + record.type());
    }
  }

  /** Delivers a message to its connection. An exception fails only that connection. */
  private void onMessage(int connection, Event event) {
    RdmaConnectionNode known = connections.get(connection);
    if (known != null) {
      try {
        known.load().receive(event);
      } catch (RuntimeException e) {
        known.fail(e);
      }
    }
  }

  @Override
  void ended(RdmaConnectionNode connection) {
    super.ended(connection);
    port.ended(connection);
  }

  /** Removes a connection of which nothing native is left. */
  void gone(RdmaConnectionNode connection) {
    connections.remove(connection.number(), connection);
  }

  @Override
  void refuse(DocaError reason) {
    closed = closed == null ? reason : closed;
    port.close(null);
  }

  @Override
  public void stopping(DocaError reason) {
    isStopping = true;
    receives.close(reason);
  }

  /** {@inheritDoc} Receives count once the context stops: before, they wait for messages. */
  @Override
  public int inFlight() {
    return super.inFlight() + (isStopping ? receives.inFlight() : 0);
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    receives.turn(nowNs, next);
  }

  @Override
  public void expireAll() {
    super.expireAll();
    receives.expireAll();
  }
}
