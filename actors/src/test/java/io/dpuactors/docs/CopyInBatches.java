package io.dpuactors.docs;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.CopyBatch;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Shown in docs/memory.md: one batch that runs several times. */
final class CopyInBatches {
  private CopyInBatches() {}

  // tag::batch[]
  static Behavior<BatchReply> copies(
      ActorRef<DmaProtocol.Command> dma, List<Buffer> from, List<Buffer> to, int times) {
    return Behaviors.setup(
        context -> {
          TaskBatch batch = TaskBatch.of(from, to); // copy i: from.get(i) into to.get(i)
          dma.tell(new CopyBatch(batch, 1, context.getSelf()));
          return Behaviors.receiveMessage(
              reply -> {
                if (reply instanceof BatchReply.Ended && reply.tag() < times) {
                  dma.tell(new CopyBatch(batch, reply.tag() + 1, context.getSelf()));
                  return Behaviors.same();
                }
                context.getLog().info("run {}: {}", reply.tag(), batch.results());
                batch.close(); // returns the buffers to their holder
                return Behaviors.stopped();
              });
        });
  }
  // end::batch[]
}
