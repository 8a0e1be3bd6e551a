package io.dpuactors.node;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The actors of an engine that take buffers with the requests that are sent to them. Its thread.
 */
public final class BufferTakers {
  private final Set<ActorRef<Object>> actors = new LinkedHashSet<>();

  BufferTakers() {}

  /** An actor takes buffers from now on; again after a restart. */
  public void join(ActorRef<Object> actor) {
    actors.add(actor);
  }

  /** It has ended; what it has not taken yet is refused by whoever finds it. */
  public void leave(ActorRef<Object> actor) {
    actors.remove(actor);
  }

  /** A message to each of them, behind what has been sent to them before. */
  Fence fence() {
    Fence fence = new Fence(actors.size());
    actors.forEach(actor -> actor.tell(fence));
    return fence;
  }
}
