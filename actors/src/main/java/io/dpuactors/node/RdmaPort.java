package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The port that an RDMA context listens to. A context has one at a time: DOCA does not report the
 * port of a request. Engine's thread.
 */
final class RdmaPort {
  private final RdmaLoad home;
  private final Set<RdmaConnectionNode> requested = new LinkedHashSet<>();
  private @Nullable Consumer<RdmaConnectionNode> taker;
  private int port;
  private long accepted;
  private long refused;

  RdmaPort(RdmaLoad home) {
    this.home = home;
  }

  long accepted() {
    return accepted;
  }

  long refused() {
    return refused;
  }

  /**
   * Begins to listen.
   *
   * @param newTaker takes over each new connection
   * @throws DocaException IN_USE if the context listens; else the device's error
   */
  void open(DocaContext rdma, int newPort, Consumer<RdmaConnectionNode> newTaker) {
    if (taker != null) {
      throw new DocaException("listen", DocaCode.IN_USE, "the context listens to port " + port);
    }
    Rdma.listen(rdma, newPort);
    port = newPort;
    taker = newTaker;
  }

  /** Refuses further requests. Idempotent. */
  void close(@Nullable DocaContext rdma) {
    boolean wasOpen = taker != null;
    taker = null;
    if (wasOpen && rdma != null) {
      Rdma.stopListening(rdma, port);
    }
  }

  /** Accepts the request of a peer. The peer's messages may arrive before it is connected. */
  void requested(DocaContext rdma, int number) {
    RdmaConnectionNode fresh = home.begin(rdma, number, home.settings().times().startNs());
    requested.add(fresh);
    try {
      if (taker == null) {
        Rdma.reject(rdma, number);
        fresh.close();
      } else {
        Rdma.accept(rdma, number);
      }
    } catch (DocaException e) {
      fresh.fail(e);
    }
  }

  /** Passes a requested connection to the taker, because its peer is connected. */
  void connected(RdmaConnectionNode node) {
    if (!requested.remove(node)) {
      return;
    }
    if (taker == null) {
      refused++;
      node.close();
    } else {
      accepted++;
      taker.accept(node);
    }
  }

  /** Counts a request that has ended before its peer was connected. */
  void ended(RdmaConnectionNode node) {
    if (requested.remove(node)) {
      refused++;
    }
  }
}
