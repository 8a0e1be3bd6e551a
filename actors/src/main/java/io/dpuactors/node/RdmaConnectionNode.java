package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native half of one RDMA connection. The native half belongs to the engine, not to the actor.
 *
 * <pre>
 *   OPENING    of a connection to an address: until its attempt begins, in its first turn
 *   STARTING   until the peer is connected
 *   RUNNING    tasks are executed, messages arrive
 *   DRAINING   tasks in flight complete, received messages are read
 *   STOPPING   disconnected, until all tasks have ended
 * </pre>
 *
 * <p>Engine's thread.
 */
public final class RdmaConnectionNode extends LoadedNode<RdmaLink> {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnectionNode.class);

  private final RdmaLoad home;
  private final @Nullable Target target;
  private @Nullable Runnable atEnd;
  private @Nullable DocaContext rdma;
  private int number;
  private boolean isReleased;
  private boolean isCounted = true;

  /** The port that a connection connects to. */
  private record Target(String host, int port) {}

  /**
   * Creates the node of a connection that the device has begun.
   *
   * @param number of the connection in the bridge
   * @param startNs limit until the peer is connected
   */
  RdmaConnectionNode(RdmaLoad home, long id, DocaContext rdma, int number, long startNs) {
    this(home, id, null, Phase.STARTING);
    this.rdma = rdma;
    this.number = number;
    setDeadline(core.nowNs() + startNs);
  }

  /** Creates the node of a connection to a port, which begins in its first turn. */
  RdmaConnectionNode(RdmaLoad home, long id, String host, int port) {
    this(home, id, new Target(host, port), Phase.OPENING);
  }

  private RdmaConnectionNode(RdmaLoad home, long id, @Nullable Target target, Phase first) {
    super(
        home.core,
        home.name + "/connection-" + id,
        id,
        "connection",
        new RdmaLink(home.core, home.name + "/connection-" + id, home.settings()),
        home.settings().times(),
        first);
    this.home = home;
    this.target = target;
    load().belongTo(this);
    occupy();
  }

  @Override
  String device() {
    return home.device();
  }

  /** Returns the number of the connection in the bridge. */
  int number() {
    return number;
  }

  /**
   * Sets the owner, which receives all further events. If the connection has ended already,
   * notifies the owner at once.
   *
   * @return this node
   */
  public LoadedNode<?> own(ContextOwner newOwner) {
    owner.own(newOwner);
    if (hasEnded()) {
      newOwner.gone();
    } else if (phase() == Phase.RUNNING) {
      newOwner.running();
    }
    return this;
  }

  /**
   * Connects an exported connection with the one that the peer has described.
   *
   * @throws DocaException BAD_STATE if it is connected or ends; else the device's error
   */
  public void connect(byte[] details) {
    if (phase() != Phase.STARTING) {
      throw new DocaException("connect", DocaCode.BAD_STATE, name() + " is connected or ends");
    }
    Rdma.connect(begun(), number, details);
    connected();
  }

  /** Handles the event that the peer is connected. */
  void connected() {
    if (phase() == Phase.STARTING) {
      enter(Phase.RUNNING, 0);
      load().connected(begun(), number, home.budget(), home.memory().numbers());
      owner.running();
    }
  }

  /**
   * Handles the event that DOCA has ended the connection.
   *
   * @param status 0, or why no connection was established
   */
  void peerGone(int status) {
    boolean wasUp = status == 0;
    DocaCode code = wasUp ? DocaCode.CONNECTION_RESET : DocaCode.of(status);
    String what = wasUp ? "the connection has ended" : "the peer did not accept the connection";
    broken(DocaError.of("connection", code, name() + ": " + what));
    schedule();
  }

  /**
   * {@inheritDoc} The peer is disconnected at once; received messages can still be read. A
   * connection that is ending submits no more tasks.
   */
  @Override
  public void broken(DocaError error) {
    if (isUp()) {
      super.broken(error);
      try {
        release();
      } catch (DocaException | IllegalStateException e) {
        // The end of the drain disconnects again. The caller continues with other connections.
        log(LOG).debug("{}: {}", name(), e.getMessage());
      }
    } else {
      load().stopping(error);
      log(LOG).debug("{}: {} while it was {}", name(), error, phase());
    }
  }

  @Override
  void open(long nowNs) {
    Target to = Objects.requireNonNull(target, "the target of a connection that opens");
    rdma = home.usable("connect");
    Rdma.Address fresh = Rdma.Address.of(to.host(), to.port());
    atEnd(fresh::close);
    number = home.connect(this, fresh);
    enter(Phase.STARTING, times.startNs());
  }

  /** Sets the action after the native connection has gone, such as to free its address. */
  void atEnd(Runnable action) {
    atEnd = action;
  }

  @Override
  boolean isPolled() {
    return false;
  }

  @Override
  void awaitRunning(long nowNs) {
    if (isLate(nowNs)) {
      throw new DocaException(
          "connection", DocaCode.TIME_OUT, name() + ": the peer did not connect");
    }
  }

  private DocaContext begun() {
    return Objects.requireNonNull(rdma, "the context of a connection that has begun");
  }

  /** Disconnects, unless an attempt to connect continues. */
  private void release() {
    isReleased = isReleased || disconnect() != DocaCode.AGAIN;
  }

  private DocaCode disconnect() {
    try {
      return Rdma.disconnect(begun(), number);
    } catch (DocaException | IllegalStateException e) {
      if (phase() != Phase.LOST) {
        throw e;
      }
      // The context has ended the connection meanwhile.
      log(LOG).debug("{}: {}", name(), e.getMessage());
      return DocaCode.NOT_FOUND;
    }
  }

  @Override
  void look() {
    home.look();
  }

  @Override
  void awaitEnd(long nowNs) {
    release();
    if (isReleased && load().inFlight() == 0) {
      finish(Phase.GONE);
    } else if (phase() == Phase.STOPPING && isLate(nowNs)) {
      log(LOG)
          .error(
              "{} has {} tasks in flight {} ms after the disconnect: abandoned",
              name(),
              load().inFlight(),
              times.stopNs() / 1_000_000);
      lose();
    }
  }

  @Override
  void ended() {
    if (isCounted) {
      isCounted = false;
      home.ended(this);
    }
    if (isGone()) {
      home.gone(this);
      if (atEnd != null) {
        runAtEnd(atEnd);
      }
    }
  }

  /** A failure here must not prevent the report of the end to the owner and the requests. */
  private void runAtEnd(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      log(LOG).error("{}: the action at its end failed: {}", name(), e.getMessage(), e);
    }
  }
}
