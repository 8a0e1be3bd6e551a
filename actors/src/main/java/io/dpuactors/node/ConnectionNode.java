package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native half of one connection of a server. It belongs to the engine, not to the actor. When
 * the actor fails, consumers and producers end first, then the connection.
 *
 * <pre>
 *   OPEN ------> DRAINING ---------------------> DISCONNECTING ------------------> GONE
 *   (CONNECTED   (stop, or peer disconnected:    (server_disconnect, retried         |
 *    event)       consumers and producers end,    on AGAIN and IN_USE)               '-- deadline --> LOST -- all done --> GONE
 *                 messages leave)
 * </pre>
 *
 * <p>After a disconnect by the peer, the node does not call server_disconnect. Engine's thread.
 */
public final class ConnectionNode extends Node {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionNode.class);

  private enum Phase {
    OPEN,
    DRAINING,
    DISCONNECTING,
    LOST,
    GONE
  }

  private final EngineCore core;
  private final DocaContext server;
  private final ServerLoad home;
  private final Link link;
  private final ContextTimes times;
  private @Nullable ContextOwner owner;
  private Phase phase = Phase.OPEN;
  private boolean isPeerGone;
  private long deadlineNs;
  private @Nullable DocaError unreported;

  ConnectionNode(
      EngineCore core,
      String name,
      long id,
      DocaContext server,
      int handle,
      LinkSettings settings,
      ServerLoad home,
      TaskBudget budget) {
    super(core, name, id);
    this.core = core;
    this.server = server;
    this.home = home;
    this.times = settings.times();
    this.link = new Link(core, name, TaskKind.COMCH_SERVER_SEND, settings, this::broken);
    link.belongTo(this);
    link.share(budget);
    link.connected(server, handle, Comch.maxMessageBytes(server));
    LOG.debug("{}: CONNECTING -> {}", name, phase);
    occupy();
  }

  /** Returns the name of the connection, unique among the connections of its server. */
  public String label() {
    return name().substring(name().lastIndexOf('/') + 1);
  }

  /** Returns the link, which sends and receives. */
  public Link link() {
    return link;
  }

  /**
   * Sets the owner, which receives all further events. If the connection has ended already,
   * notifies the owner at once.
   */
  public void own(ContextOwner newOwner) {
    owner = newOwner;
    if (isGone() || phase == Phase.LOST) {
      newOwner.gone();
    }
  }

  @Override
  boolean isGone() {
    return phase == Phase.GONE;
  }

  /**
   * Closes the connection. Messages in flight may leave within the drain deadline. The owner then
   * receives {@link ContextOwner#gone()}. Idempotent.
   */
  public void stop() {
    end(closing(), times.drainNs());
  }

  private DocaError closing() {
    return DocaError.of("connection", DocaCode.SHUTDOWN.value(), name() + " is closing");
  }

  @Override
  public void close() {
    owner = null;
    unreported = null;
    DocaError reason =
        DocaError.of(
            "connection actor", DocaCode.SHUTDOWN.value(), name() + " failed or was stopped");
    end(reason, 0);
    link.cut(reason);
  }

  @Override
  void failRequests(DocaError reason) {
    link.close(reason, Optional.empty());
    link.cut(reason);
    link.expireAll();
  }

  private void end(DocaError reason, long drainNs) {
    if (phase == Phase.OPEN) {
      enter(Phase.DRAINING, drainNs);
      link.close(reason, Optional.empty());
    } else if (phase == Phase.DRAINING) {
      link.dropUnread();
      schedule();
      deadlineNs = Math.min(deadlineNs, core.nowNs() + drainNs);
    }
  }

  /**
   * Fails the connection. The owner is notified when all received messages have been taken, or at
   * the drain deadline.
   */
  void broken(DocaError error) {
    if (phase == Phase.OPEN) {
      unreported = error;
      enter(Phase.DRAINING, times.drainNs());
      link.close(error, Optional.of(error));
    } else {
      link.cut(error);
      LOG.debug("{}: {} while it was {}", name(), error, phase);
    }
  }

  /** Fails the connection, because DOCA reports that the peer has disconnected. */
  void peerGone() {
    isPeerGone = true;
    schedule();
    broken(
        DocaError.of(
            "connection",
            DocaCode.CONNECTION_RESET.value(),
            name() + ": the client has ended the connection"));
  }

  @Override
  boolean step(long nowNs, NextTurn next) {
    Phase before = phase;
    switch (phase) {
      case DRAINING -> drain(nowNs);
      case DISCONNECTING -> disconnect(nowNs);
      case LOST -> recover();
      default -> {}
    }
    link.turn(nowNs, next);
    if (phase == Phase.DRAINING || phase == Phase.DISCONNECTING) {
      next.inEach();
    } else if (phase == Phase.LOST) {
      next.at(nowNs + core.recheckNs());
    }
    return phase != before;
  }

  @Override
  void failed(DocaError error) {
    switch (phase) {
      case OPEN -> broken(error);
      case DRAINING -> {
        LOG.error("{}: {} while it was {}", name(), error, phase);
        enter(Phase.DISCONNECTING, times.stopNs());
        link.cut(error);
      }
      case DISCONNECTING -> {
        LOG.error("{}: {} while it was {}", name(), error, phase);
        giveUp();
      }
      default -> LOG.debug("{}: {} while it was {}", name(), error, phase);
    }
  }

  private void drain(long nowNs) {
    boolean late = nowNs - deadlineNs >= 0;
    if (late || link.isRead()) {
      reportFailure();
    }
    boolean isDone = link.inFlight() == 0 && link.isSent() && link.isRead();
    if (link.isBare() && (late || isDone)) {
      link.cut(closing());
      enter(Phase.DISCONNECTING, times.stopNs());
      disconnect(nowNs);
    }
  }

  private void disconnect(long nowNs) {
    if (!isPeerGone) {
      DocaCode code = Comch.disconnect(server, link.handle());
      if (code == DocaCode.AGAIN || code == DocaCode.IN_USE) {
        if (nowNs - deadlineNs >= 0) {
          LOG.error(
              "{}: doca_comch_server_disconnect still answers {} after {} ms: given up",
              name(),
              code.docaName(),
              times.stopNs() / 1_000_000);
          giveUp();
        }
        return;
      }
      isPeerGone = true;
    }
    if (link.inFlight() == 0) {
      finish(Phase.GONE);
    } else if (nowNs - deadlineNs >= 0) {
      LOG.error(
          "{} has {} messages in flight {} ms after the disconnect: given up",
          name(),
          link.inFlight(),
          times.stopNs() / 1_000_000);
      giveUp();
    }
  }

  /**
   * Retries the end of a lost connection. The outstanding completions may still arrive, or the
   * server may have ended the connection.
   */
  private void recover() {
    try {
      DocaCode code = isPeerGone ? DocaCode.SUCCESS : Comch.disconnect(server, link.handle());
      isPeerGone = code != DocaCode.AGAIN && code != DocaCode.IN_USE;
    } catch (DocaException | IllegalStateException e) {
      LOG.debug("{}: {}", name(), e.getMessage());
      isPeerGone = true;
    }
    if (isPeerGone && link.inFlight() == 0) {
      LOG.debug("{}: {} -> {}", name(), phase, Phase.GONE);
      phase = Phase.GONE;
      home.gone(this);
    }
  }

  private void giveUp() {
    try {
      link.expireAll();
    } finally {
      finish(Phase.LOST);
    }
  }

  private void finish(Phase end) {
    LOG.debug("{}: {} -> {}", name(), phase, end);
    phase = end;
    vacate();
    schedule();
    home.ended(this);
    reportFailure();
    tell(ContextOwner::gone);
  }

  private void enter(Phase next, long allowedNs) {
    LOG.debug("{}: {} -> {}", name(), phase, next);
    phase = next;
    schedule();
    deadlineNs = core.nowNs() + allowedNs;
  }

  private void reportFailure() {
    DocaError error = unreported;
    if (error != null) {
      unreported = null;
      tell(listener -> listener.failed(error));
    }
  }

  private void tell(Consumer<ContextOwner> event) {
    if (owner != null) {
      event.accept(owner);
    }
  }

  @Override
  boolean hasEnded() {
    return phase == Phase.GONE || phase == Phase.LOST;
  }

  @Override
  public String toString() {
    return name() + " (" + phase + ", " + link.inFlight() + " in flight)";
  }
}
