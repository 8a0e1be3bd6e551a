package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskBuffers;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** Sometimes another actor sends a request of a client: its answer belongs to that actor. */
final class OtherSenders {
  /** Percentage of requests of other actors in runs that aim at a client without a request. */
  private static final int AIMED = 80;

  private OtherSenders() {}

  /**
   * Sends a request from another actor, or does nothing.
   *
   * @param from more buffers; the pair is one of them
   * @return false if the client has to send the request
   */
  static boolean send(
      ActorContext<Object> client,
      Run run,
      TaskModel model,
      TaskBuffers from,
      TaskBuffers.Pair pair,
      ActorRef<Object> tasks) {
    if (model.sendOther(client, run, pair, tasks)) {
      return true;
    }
    if (run.chance(Aim.isAt(run, "idle") ? AIMED : 3)) {
      TaskModel.Work work = model.draw(run);
      work.fill(pair.src());
      tasks.tell(work.request(pair.src(), pair.dst(), 0, MortalReceiver.spawn(client, run)));
      return true;
    }
    TaskBuffers.Pair other = run.chance(1) ? from.lease() : null;
    if (other == null) {
      return false;
    }
    if (other.src().pool() == pair.src().pool()) {
      SharedDestination.spawn(client, run, model, pair, other, tasks);
      return true;
    }
    other.src().release(); // another engine of a group
    other.dst().release();
    return false;
  }
}
