package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The load of a client: its one connection. */
public final class ClientLoad implements ContextLoad {
  private final Link link;

  /**
   * Creates the load of a client that is not connected yet.
   *
   * @param broken handles the failure of the connection
   */
  public ClientLoad(
      EngineCore core, String name, LinkSettings settings, Consumer<DocaError> broken) {
    this.link = new Link(core, name, TaskKind.COMCH_CLIENT_SEND, settings, broken);
  }

  /** Returns the connection. */
  public Link link() {
    return link;
  }

  @Override
  public void belongTo(Node node) {
    link.belongTo(node);
  }

  @Override
  public void reserve(String name, Map<TaskKind, TaskLimits> configured) {
    link.reserve(name, configured);
  }

  @Override
  public void destroyed() {
    link.destroyed();
  }

  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    link.connected(running, Comch.connection(running), Comch.maxMessageBytes(running));
  }

  @Override
  public void close(DocaError reason) {
    link.close(reason, Optional.empty());
  }

  @Override
  public void fail(DocaError reason) {
    link.close(reason, Optional.of(explained(reason)));
  }

  /**
   * Adds the probable cause to the error: a server at its limit accepts one more connection and
   * closes it at once.
   */
  private DocaError explained(DocaError reason) {
    return reason.code() != DocaCode.CONNECTION_RESET || link.hasPeerSent()
        ? reason
        : DocaError.of(
            reason.operation(),
            reason.raw(),
            link.name()
                + ": the server closed the connection before it sent anything; it may be full");
  }

  @Override
  public DocaCode endCode(boolean hasRun) {
    return hasRun ? DocaCode.CONNECTION_RESET : DocaCode.CONNECTION_ABORTED;
  }

  /** Returns the cause of the failed connect, which only the software DPU reports. */
  @Override
  public DocaCode startCode(DocaContext failed) {
    DocaCode failure = Comch.failure(failed);
    return failure == DocaCode.FULL || failure == DocaCode.TIME_OUT ? failure : endCode(false);
  }

  @Override
  public int inFlight() {
    return link.inFlight();
  }

  @Override
  public boolean mayStop() {
    return link.isBare();
  }

  @Override
  public boolean isRead() {
    return link.isRead();
  }

  @Override
  public boolean isSent() {
    return link.isSent();
  }

  @Override
  public void cut(DocaError reason) {
    link.cut(reason);
  }

  @Override
  public void dropUnread() {
    link.dropUnread();
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    link.turn(nowNs, next);
  }

  @Override
  public void expireAll() {
    link.expireAll();
  }

  @Override
  public void onEvent(CompletionRing record) {
    link.onEvent(record);
  }
}
