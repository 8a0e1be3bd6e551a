package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;

/** The answers to a single task of an RDMA connection. */
interface PeerTask extends DeviceRequest {
  /** Returns the number that the answer repeats. */
  long tag();

  @Override
  ActorRef<Reply> replyTo();

  /** Answers that the device has executed the task. */
  default void completed() {
    BufferReply.send(replyTo(), new Completed(tag(), src(), dst()));
  }

  @Override
  default void failed(DocaError error, Ownership ownership) {
    BufferReply.send(replyTo(), new Failed(tag(), error, src(), dst(), ownership));
  }

  @Override
  default void busy(int waiting) {
    BufferReply.send(replyTo(), new BusyReplies.PeerBusy(tag(), src(), dst(), waiting));
  }
}
