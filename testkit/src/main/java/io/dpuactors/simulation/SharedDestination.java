package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A client that sends two requests with the same destination at once. A context refuses the second
 * request while it holds the first, and returns its source.
 */
final class SharedDestination {
  private static final int REQUESTS = 2;

  private final Run run;
  private final Buffer dst;
  private int answers;
  private boolean isRetained;

  private SharedDestination(Run run, Buffer dst) {
    this.run = run;
    this.dst = dst;
  }

  /** Spawns the client, which sends the requests and ends after both answers. */
  static void spawn(
      ActorContext<Object> parent,
      Run run,
      TaskModel model,
      TaskBuffers.Pair one,
      TaskBuffers.Pair other,
      ActorRef<Object> tasks) {
    TaskModel.Work first = model.draw(run);
    TaskModel.Work second = model.draw(run);
    first.fill(one.src());
    second.fill(other.src());
    other.dst().release();
    Behavior<TaskReply> behavior =
        Behaviors.setup(
            context -> {
              tasks.tell(first.request(one.src(), one.dst(), 0, context.getSelf()));
              tasks.tell(second.request(other.src(), one.dst(), 0, context.getSelf()));
              return new SharedDestination(run, one.dst()).behavior();
            });
    parent.spawnAnonymous(behavior);
  }

  private Behavior<TaskReply> behavior() {
    return Behaviors.receiveMessage(this::onReply);
  }

  private Behavior<TaskReply> onReply(TaskReply reply) {
    answers++;
    if (reply instanceof Failed failed && failed.code() == DocaCode.INVALID_VALUE) {
      run.reached("destination in use");
    }
    if (reply.ownership() == Ownership.RETURNED) {
      reply.src().release();
    } else {
      isRetained = true;
    }
    if (answers < REQUESTS) {
      return Behaviors.same();
    }
    if (!isRetained) {
      dst.release();
    }
    return Behaviors.stopped();
  }
}
