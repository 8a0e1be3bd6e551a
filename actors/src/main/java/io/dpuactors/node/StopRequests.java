package io.dpuactors.node;

import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The unanswered {@link Stop} messages of an actor, which answers them at its end. Engine's thread.
 */
public final class StopRequests {
  private final List<ActorRef<Stopped>> unanswered = new ArrayList<>();

  /** Adds a message. */
  public void add(Stop stop) {
    stop.replyTo().ifPresent(unanswered::add);
  }

  /** Answers each message once. */
  public void answer(Stopped outcome) {
    unanswered.forEach(requester -> requester.tell(outcome));
    unanswered.clear();
  }

  /** Answers each message once, with the result of a node that has been stopped or closed. */
  public void answer(LoadedNode<?> node) {
    answer(outcome(node));
  }

  /** Returns the result of a node that has been stopped or closed. */
  public static Stopped outcome(LoadedNode<?> node) {
    return node.isGone() ? Stopped.CLEAN : new Stopped(false, node.toString());
  }
}
