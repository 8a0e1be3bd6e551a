package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.DocaContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native half of one connection of a server. The native half belongs to the engine, not to the
 * actor. When the actor fails, consumers and producers end first, then the connection.
 *
 * <pre>
 *   RUNNING    after the CONNECTED event
 *   DRAINING   consumers and producers end, messages leave
 *   STOPPING   server_disconnect, retried on AGAIN and IN_USE; not called if the peer has disconnected
 * </pre>
 *
 * <p>Engine's thread.
 */
public final class ConnectionNode extends LoadedNode<Link> {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionNode.class);

  private final DocaContext server;
  private final ServerLoad home;
  private boolean isDisconnected;
  private boolean isCounted = true;

  ConnectionNode(
      EngineCore core,
      String name,
      long id,
      DocaContext server,
      int handle,
      LinkSettings settings,
      ServerLoad home,
      TaskBudget budget) {
    super(
        core,
        name,
        id,
        "connection",
        new Link(core, name, TaskKind.COMCH_SERVER_SEND, settings),
        settings.times(),
        Phase.STARTING);
    this.server = server;
    this.home = home;
    link().belongTo(this);
    link().sends().share(budget);
    link().connected(server, handle, Comch.maxMessageBytes(server));
    enter(Phase.RUNNING, 0);
    occupy();
  }

  @Override
  String device() {
    return home.device();
  }

  /** Returns the link, which sends and receives. */
  public Link link() {
    return load();
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
    }
    return this;
  }

  /** {@inheritDoc} A connection that is ending sends no more messages. */
  @Override
  public void broken(DocaError error) {
    if (isUp()) {
      super.broken(error);
    } else {
      link().stopping(error);
      log(LOG).debug("{}: {} while it was {}", name(), error, phase());
    }
  }

  /** Fails the connection, because DOCA reports that the peer has disconnected. */
  void peerGone() {
    isDisconnected = true;
    schedule();
    broken(
        DocaError.of(
            "connection",
            DocaCode.CONNECTION_RESET,
            name() + ": the client has ended the connection"));
  }

  @Override
  void look() {
    home.look();
  }

  @Override
  void awaitEnd(long nowNs) {
    DocaCode code = disconnect();
    isDisconnected = code != DocaCode.AGAIN && code != DocaCode.IN_USE;
    if (isDisconnected && link().inFlight() == 0) {
      finish(Phase.GONE);
    } else if (phase() == Phase.STOPPING && isLate(nowNs)) {
      log(LOG)
          .error(
              "{} has {} messages in flight {} ms after the disconnect: abandoned"
                  + " (doca_comch_server_disconnect answers {})",
              name(),
              link().inFlight(),
              times.stopNs() / 1_000_000,
              code.docaName());
      lose();
    }
  }

  private DocaCode disconnect() {
    try {
      return isDisconnected ? DocaCode.SUCCESS : Comch.disconnect(server, link().handle());
    } catch (DocaException | IllegalStateException e) {
      if (phase() != Phase.LOST) {
        throw e;
      }
      // The server has ended the connection meanwhile.
      log(LOG).debug("{}: {}", name(), e.getMessage());
      return DocaCode.SUCCESS;
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
    }
  }
}
