package io.dpuactors.testkit;

import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Request;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** The planned reactions of a context. Thread: any. */
final class Script {
  private record Step(Class<? extends Request> type, Reaction reaction) {}

  private final Deque<Step> steps = new ArrayDeque<>();

  synchronized void add(Class<? extends Request> type, Reaction reaction) {
    boolean isOfTasks = reaction == Reaction.busy() || reaction == Reaction.expire();
    if (isOfTasks && !DeviceRequest.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(reaction + " is a reaction to tasks, not to " + type);
    }
    steps.add(new Step(type, reaction));
  }

  /** Returns and removes the first reaction to requests of this type. */
  synchronized Reaction reactionTo(Request request) {
    for (Iterator<Step> each = steps.iterator(); each.hasNext(); ) {
      Step step = each.next();
      if (step.type().isInstance(request)) {
        each.remove();
        return step.reaction();
      }
    }
    return Reaction.complete();
  }
}
