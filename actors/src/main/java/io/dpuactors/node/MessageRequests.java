package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one connection. The bytes of these messages are in the outbox while the device holds
 * them.
 */
final class MessageRequests implements Requests<Outgoing> {
  private final String connection;
  private final TaskKind kind;
  private int handle;
  private int maxBytes;

  /**
   * Creates the requests of a connection that is not established yet.
   *
   * @param connection name for errors
   * @param kind of the control context: a server or a client
   */
  MessageRequests(String connection, TaskKind kind) {
    this.connection = connection;
    this.kind = kind;
  }

  /**
   * Sets the properties of the established connection.
   *
   * @param newHandle handle of the connection in entries
   * @param maxMessageBytes maximum size of one message
   */
  void connected(int newHandle, int maxMessageBytes) {
    handle = newHandle;
    maxBytes = maxMessageBytes;
  }

  @Override
  public TaskKind kind(Outgoing request) {
    return kind;
  }

  @Override
  public String about(Outgoing request) {
    return "message of %d bytes on %s".formatted(request.bytes().length, connection);
  }

  @Override
  public @Nullable DocaError unusable(Outgoing request) {
    return request.bytes().length == 0 ? invalid(request, "it is empty") : null;
  }

  @Override
  public @Nullable DocaError refusal(Outgoing request) {
    return request.bytes().length > maxBytes
        ? invalid(request, "the limit of the connection is %d bytes".formatted(maxBytes))
        : null;
  }

  private DocaError invalid(Outgoing request, String why) {
    return DocaError.of(
        "doca_comch_task_send", DocaCode.INVALID_VALUE, about(request) + ": " + why);
  }

  @Override
  public boolean offer(Outgoing request, EngineCore core, TaskSlot slot, int context) {
    byte[] bytes = request.bytes();
    long address = core.outbox().put(slot, bytes);
    return core.submissions()
        .offerMessage(slot.userData(), context, kind, handle, address, bytes.length);
  }

  @Override
  public void completed(Outgoing request, CompletionRing record) {
    request.outcome().sent();
  }

  @Override
  public void failed(Outgoing request, DocaError error, Ownership ownership) {
    request.outcome().failed(error);
  }

  @Override
  public void busy(Outgoing request, int waiting) {
    request.outcome().busy(waiting);
  }
}
