package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import org.jspecify.annotations.Nullable;

/** The {@link Busy} of each kind of request. Requests create them; programs see Busy only. */
final class BusyReplies {
  private BusyReplies() {}

  record TaskBusy(long tag, Buffer src, Buffer dst, int queued) implements TaskReply, Busy {}

  record BatchBusy(long tag, TaskBatch batch, int queued) implements BatchReply, Busy {}

  record ProduceBusy(long tag, @Nullable Buffer src, int queued) implements ProducerReply, Busy {}

  record PostBusy(long tag, Buffer dst, int queued) implements ConsumerReply, Busy {}

  record PeerBusy(long tag, @Nullable Buffer src, @Nullable Buffer dst, int queued)
      implements RdmaConnectionProtocol.Reply, Busy {}

  record SendBusy(long tag, int queued) implements SendReply, Busy {}

  record EventBusy(long tag, int queued) implements SyncEventProtocol.Reply, Busy {}
}
