package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An answer of any protocol.
 *
 * @param src first buffer of the request; null: none
 * @param dst second buffer of the request; null: none
 * @param isReturned whether the receiver owns the buffers again
 * @param reply the message
 */
record Answer(
    long tag,
    Outcome outcome,
    @Nullable Buffer src,
    @Nullable Buffer dst,
    boolean isReturned,
    LocalMessage reply) {

  /** What the answer says about the request. */
  enum Outcome {
    COMPLETED,
    FAILED,
    /** The request failed with its connection, and its peer may have received it. */
    UNKNOWN,
    BUSY
  }

  /** Operations of errors of requests that have not reached a device. */
  private static final Set<String> NOT_SENT = Set.of("client", "context", "doca_task_submit");

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if the message is no answer to a request of a soak
   */
  static Answer of(LocalMessage message) {
    if (message instanceof TaskReply reply) {
      return of(reply);
    }
    if (message instanceof RdmaConnectionProtocol.Reply reply) {
      return of(reply);
    }
    if (message instanceof SyncEventProtocol.Reply reply) {
      return of(reply);
    }
    if (message instanceof SendReply reply) {
      return of(reply);
    }
    throw new IllegalArgumentException("no answer: " + message);
  }

  private static Answer of(TaskReply reply) {
    Outcome outcome = reply instanceof TaskReply.Failed ? Outcome.FAILED : others(reply);
    return new Answer(reply.tag(), outcome, reply.src(), reply.dst(), isReturned(reply), reply);
  }

  private static Answer of(RdmaConnectionProtocol.Reply reply) {
    Outcome outcome =
        reply instanceof RdmaConnectionProtocol.Failed failed
            ? ofConnection(failed.error())
            : others(reply);
    return new Answer(reply.tag(), outcome, reply.src(), reply.dst(), isReturned(reply), reply);
  }

  private static Answer of(SyncEventProtocol.Reply reply) {
    Outcome outcome = reply instanceof SyncEventProtocol.Failed ? Outcome.FAILED : others(reply);
    return new Answer(reply.tag(), outcome, null, null, true, reply);
  }

  private static Answer of(SendReply reply) {
    Outcome outcome =
        reply instanceof SendFailed failed ? ofConnection(failed.error()) : others(reply);
    return new Answer(reply.tag(), outcome, null, null, true, reply);
  }

  /** Returns the outcome of an answer that is no failure. */
  private static Outcome others(LocalMessage reply) {
    return reply instanceof Busy ? Outcome.BUSY : Outcome.COMPLETED;
  }

  /** Returns the outcome of a request that a connection has failed. */
  private static Outcome ofConnection(DocaError error) {
    return NOT_SENT.contains(error.operation()) ? Outcome.FAILED : Outcome.UNKNOWN;
  }

  private static boolean isReturned(BufferReply reply) {
    return reply.ownership() == Ownership.RETURNED;
  }

  /** Returns whether the request has its effect. */
  boolean isCompleted() {
    return outcome == Outcome.COMPLETED;
  }
}
