package io.dpuactors.fleet;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Limits the number of blocks whose content a node fetches or has, or whose result a client has not
 * received, over all jobs. The workers get their permits in the order in which they ask. Thread:
 * any.
 */
final class ContentPermits {
  private final int limit;
  private final Set<ActorRef<BlockConsumer.Command>> holders = new HashSet<>();
  private final Set<ActorRef<BlockConsumer.Command>> waiting = new LinkedHashSet<>();

  ContentPermits(int limit) {
    this.limit = limit;
  }

  /** Asks for a permit. The worker gets {@link BlockConsumer.Permitted} when it has the permit. */
  synchronized void ask(ActorRef<BlockConsumer.Command> worker) {
    waiting.add(worker);
    grant();
  }

  /** Returns whether a worker has a permit. */
  synchronized boolean isHeldBy(ActorRef<BlockConsumer.Command> worker) {
    return holders.contains(worker);
  }

  /** Takes the permit or the request of a worker, if there is one. */
  synchronized void release(ActorRef<BlockConsumer.Command> worker) {
    waiting.remove(worker);
    holders.remove(worker);
    grant();
  }

  private void grant() {
    while (holders.size() < limit && !waiting.isEmpty()) {
      ActorRef<BlockConsumer.Command> next = waiting.iterator().next();
      waiting.remove(next);
      holders.add(next);
      next.tell(BlockConsumer.Permitted.INSTANCE);
    }
  }
}
