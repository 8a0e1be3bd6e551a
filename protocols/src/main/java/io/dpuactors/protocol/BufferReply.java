package io.dpuactors.protocol;

import io.dpuactors.bridge.Carried;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.IgnoreActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.jspecify.annotations.Nullable;

/**
 * An answer that hands buffers to its receiver. The library releases the buffers of an answer
 * without a receiver: the actor has ended, or the ask has timed out.
 */
public interface BufferReply extends LocalMessage {
  /** Returns the owner of the buffers after this answer. */
  default Ownership ownership() {
    return Ownership.RETURNED;
  }

  /** Returns the first buffer, or the batch; null for an answer without a buffer. */
  @Nullable Carried carried();

  /** Returns the second buffer, if the answer has one. */
  default @Nullable Carried alsoCarried() {
    return null;
  }

  /**
   * Sends an answer, and releases its buffers at once if the receiver has ended already. An answer
   * whose receiver ends later becomes a dead letter. The listener of dead letters calls {@link
   * #releaseUndelivered}.
   */
  static <R extends BufferReply> void send(ActorRef<? super R> replyTo, R reply) {
    if (reply.ownership() == Ownership.RETAINED) {
      replyTo.tell(reply);
      return;
    }
    mark(reply.carried(), reply);
    mark(reply.alsoCarried(), reply);
    forward(replyTo, reply);
  }

  /**
   * Passes an answer that was sent to another receiver. Releases its buffers at once if this
   * receiver has ended already.
   */
  static <R extends BufferReply> void forward(ActorRef<? super R> receiver, R reply) {
    boolean isUndelivered = reply.ownership() == Ownership.RETURNED && hasEnded(receiver);
    receiver.tell(reply);
    if (isUndelivered) {
      reply.releaseUndelivered();
    }
  }

  /** Releases the buffers of an answer that no actor received. Idempotent. Any thread. */
  default void releaseUndelivered() {
    release(carried(), this);
    release(alsoCarried(), this);
  }

  private static void mark(@Nullable Carried carried, BufferReply reply) {
    if (carried != null) {
      carried.sentIn(reply);
    }
  }

  private static void release(@Nullable Carried carried, BufferReply reply) {
    if (carried != null) {
      carried.releaseIfSentIn(reply);
    }
  }

  /** Pekko's own API does not show it: {@code ignoreRef} drops messages without a dead letter. */
  private static boolean hasEnded(ActorRef<?> receiver) {
    if (!(receiver instanceof ActorRefAdapter<?> adapter)) {
      return false;
    }
    InternalActorRef ref = adapter.classicRef();
    return ref.isTerminated() || ref instanceof IgnoreActorRef;
  }
}
