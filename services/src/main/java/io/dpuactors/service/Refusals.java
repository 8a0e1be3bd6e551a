package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Handles replies without a result for callers that no longer need the buffers. The method releases
 * the returned buffers and returns the reason.
 */
final class Refusals {
  private Refusals() {}

  static DocaError settle(ConsumerReply reply) {
    PostFailed failed = reply instanceof PostFailed f ? f : null;
    release(reply.dst(), failed == null ? Ownership.RETURNED : failed.ownership());
    return failed == null ? busy("consumer") : failed.error();
  }

  static DocaError settle(ProducerReply reply) {
    ProduceFailed failed = reply instanceof ProduceFailed f ? f : null;
    release(reply.src(), failed == null ? Ownership.RETURNED : failed.ownership());
    return failed == null ? busy("producer") : failed.error();
  }

  static DocaError settleBusy(TaskReply reply) {
    reply.src().release();
    reply.dst().release();
    return busy("context");
  }

  static DocaError settle(TaskReply.Failed reply) {
    release(reply.src(), reply.ownership());
    release(reply.dst(), reply.ownership());
    return reply.error();
  }

  private static void release(@Nullable Buffer buffer, Ownership ownership) {
    if (buffer != null && ownership == Ownership.RETURNED) {
      buffer.release();
    }
  }

  private static DocaError busy(String who) {
    return DocaError.of(who, DocaCode.FULL, "the queue is full");
  }
}
