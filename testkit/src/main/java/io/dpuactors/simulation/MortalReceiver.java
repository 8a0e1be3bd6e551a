package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A receiver of one answer that ends soon, perhaps before the answer. */
final class MortalReceiver {
  private enum End {
    NOW
  }

  private MortalReceiver() {}

  /** Spawns a receiver. */
  static <R> ActorRef<R> spawn(ActorContext<Object> parent, Run run) {
    run.reached("receiver ends");
    return parent
        .spawnAnonymous(
            Behaviors.<Object>setup(
                context -> {
                  Duration life = Duration.ofNanos(run.draw(0, run.oneOf(1, 1_000, 1_000_000)));
                  context.scheduleOnce(life, context.getSelf(), End.NOW);
                  return Behaviors.receive(Object.class)
                      .onMessage(
                          TaskReply.class,
                          reply -> {
                            release(reply);
                            return Behaviors.same();
                          })
                      .onMessage(
                          BatchReply.class,
                          reply -> {
                            release(reply);
                            return Behaviors.same();
                          })
                      .onMessage(End.class, end -> Behaviors.stopped())
                      .build();
                }))
        .narrow();
  }

  /** Returns the buffers of an answer to their pools, unless the device holds them. */
  static void release(TaskReply reply) {
    if (reply.ownership() == Ownership.RETURNED) {
      reply.src().release();
      reply.dst().release();
    }
  }

  /** Closes the batch of an answer and returns its buffers, unless the device holds them. */
  static void release(BatchReply reply) {
    if (!(reply instanceof BatchFailed failed) || failed.ownership() == Ownership.RETURNED) {
      TaskBatch batch = reply.batch();
      batch.close();
      batch.sources().forEach(Buffer::release);
      batch.destinations().forEach(Buffer::release);
    }
  }
}
