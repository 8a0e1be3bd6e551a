package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Map;
import java.util.Optional;

/** The load of a client: its one connection. */
public final class ClientLoad extends Link implements ContextLoad {
  /** Creates the load of a client that is not connected yet. */
  public ClientLoad(EngineCore core, String name, LinkSettings settings) {
    super(core, name, TaskKind.COMCH_CLIENT_SEND, settings);
  }

  @Override
  public void reserve(String name, Map<TaskKind, TaskLimits> configured) {
    sends().reserve(name, configured);
  }

  @Override
  public void destroyed() {
    sends().destroyed();
  }

  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    connected(running, Comch.connection(running), Comch.maxMessageBytes(running));
  }

  @Override
  public void fail(DocaError reason) {
    close(reason, Optional.of(explained(reason)));
  }

  /**
   * Adds the probable cause to the error: a server at its limit accepts one more connection and
   * closes it at once.
   */
  private DocaError explained(DocaError reason) {
    return reason.code() != DocaCode.CONNECTION_RESET || hasPeerSent()
        ? reason
        : DocaError.of(
            reason.operation(),
            reason.raw(),
            name()
                + ": the server closed the connection before its first message;"
                + " the server may be full");
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
}
