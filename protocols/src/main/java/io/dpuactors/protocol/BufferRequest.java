package io.dpuactors.protocol;

import org.apache.pekko.actor.typed.ActorRef;

/** A request that lends buffers until its answer, a {@link BufferReply}. */
public interface BufferRequest extends Request {
  /** Returns the receiver of the answer. */
  ActorRef<?> replyTo();
}
