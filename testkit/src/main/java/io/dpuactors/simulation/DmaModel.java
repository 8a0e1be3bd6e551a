package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** Copies. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class DmaModel implements TaskModel {
  private record Copy(byte[] input) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return new DmaProtocol.Copy(src, dst, tag, replyTo);
    }

    @Override
    public Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      return new DmaProtocol.CopyBatch(batch, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return Arrays.equals(output, input);
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.DMA;
  }

  @Override
  public Work draw(Run run) {
    return new Copy(TaskModel.text(run));
  }
}
