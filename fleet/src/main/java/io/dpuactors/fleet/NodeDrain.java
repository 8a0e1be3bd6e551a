package io.dpuactors.fleet;

import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import io.dpuactors.fleet.FleetMonitor.Drained;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.NotDrained;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The drain of one node. Reports one event, then stops: {@link Drained} after the answer of the
 * node, {@link NotDrained} after the loss of the node or at the deadline.
 */
final class NodeDrain {
  private enum Timer {
    LOST,
    DEADLINE
  }

  /** Time for an answer that arrives after the end of the gateway: both take different ways. */
  static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  private final String node;
  private final Duration limit;
  private final ActorRef<? super Event> parent;
  private final TimerScheduler<Object> timers;

  private NodeDrain(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      String node,
      ActorRef<GatewayRequest> gateway,
      Duration limit,
      ActorRef<? super Event> parent) {
    this.node = node;
    this.limit = limit;
    this.parent = parent;
    this.timers = timers;
    timers.startSingleTimer(Timer.DEADLINE, limit);
    context.watch(gateway);
    gateway.tell(new Drain(context.getSelf().narrow()));
  }

  /**
   * Returns the behavior of a drain, which begins at once.
   *
   * @param node address for events
   * @param limit time for the answer
   * @param parent receives the event
   */
  static Behavior<Object> create(
      String node,
      ActorRef<GatewayRequest> gateway,
      Duration limit,
      ActorRef<? super Event> parent) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new NodeDrain(context, timers, node, gateway, limit, parent).behavior()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(FleetMessage.Drained.class, reply -> end(new Drained(node)))
        .onMessageEquals(Timer.LOST, () -> fail("node " + node + " was lost before it had drained"))
        .onMessageEquals(Timer.DEADLINE, () -> fail(late()))
        .onSignal(Terminated.class, signal -> onGatewayEnded())
        .build();
  }

  private Behavior<Object> onGatewayEnded() {
    timers.startSingleTimer(Timer.LOST, ANSWER_LIMIT);
    return Behaviors.same();
  }

  private String late() {
    return "node %s has not drained within %d s".formatted(node, limit.toSeconds());
  }

  private Behavior<Object> fail(String why) {
    return end(new NotDrained(why));
  }

  private Behavior<Object> end(Event event) {
    parent.tell(event);
    return Behaviors.stopped();
  }
}
