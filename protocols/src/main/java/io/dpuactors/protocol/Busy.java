package io.dpuactors.protocol;

/**
 * The answer of a context whose window and queue are full. Nothing was started, and the receiver
 * owns the buffers of the request again, unchanged.
 *
 * <p>Each Busy is also a reply of its request: a {@link TaskReply}, a {@link BatchReply}, a {@link
 * ProducerProtocol.ProducerReply}, a {@link ConsumerProtocol.ConsumerReply}, a {@link
 * ConnectionProtocol.SendReply}, an {@link RdmaConnectionProtocol.Reply} or a {@link
 * SyncEventProtocol.Reply}. That reply has the buffers.
 */
public sealed interface Busy extends LocalMessage
    permits BusyReplies.TaskBusy,
        BusyReplies.BatchBusy,
        BusyReplies.ProduceBusy,
        BusyReplies.PostBusy,
        BusyReplies.SendBusy,
        BusyReplies.PeerBusy,
        BusyReplies.EventBusy {
  /** Returns the tag of the request. */
  long tag();

  /** Returns the number of requests in the queue. */
  int queued();
}
