package io.dpuactors.docs;

import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.AwaitNotEqual;
import io.dpuactors.protocol.SyncEventProtocol.Done;
import io.dpuactors.protocol.SyncEventProtocol.Get;
import io.dpuactors.protocol.SyncEventProtocol.Value;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Shown in docs/sync-events.md: the other side of the PCI bus counts, and this side follows. */
final class WorkCounter {
  private WorkCounter() {}

  // tag::follow[]
  static Behavior<SyncEventProtocol.Reply> follow(
      ActorRef<SyncEventProtocol.Command> event, LongConsumer changed) {
    return Behaviors.setup(
        context -> {
          event.tell(new AwaitNotEqual(0, 0, context.getSelf()));
          return Behaviors.receiveMessage(
              reply -> {
                if (reply instanceof Done) { // the value differs: read it
                  event.tell(new Get(0, context.getSelf()));
                } else if (reply instanceof Value read) {
                  changed.accept(read.value());
                  event.tell(new AwaitNotEqual(read.value(), 0, context.getSelf()));
                } else { // Failed at the deadline or at the end of the context, or Busy
                  return Behaviors.stopped();
                }
                return Behaviors.same();
              });
        });
  }
  // end::follow[]
}
