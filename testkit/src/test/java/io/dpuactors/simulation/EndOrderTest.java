package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.node.NodeEvent;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the order in which actors end. */
class EndOrderTest {
  private static final NodeEvent GONE = new NodeEvent.Gone("context");
  private static final NodeEvent RUNNING = new NodeEvent.Running("context");
  private static final NodeEvent FAILED =
      new NodeEvent.Failed("context", DocaError.of("doca_ctx", DocaCode.IO_FAILED.value(), "why"));

  /** Stops an actor with a child. */
  private enum End {
    NOW,
    AFTER_CHILD,
    BY_FAILURE
  }

  private static Behavior<Object> parent() {
    return Behaviors.setup(
        context -> {
          ActorRef<Object> child =
              context.spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()), "child");
          context.watch(child);
          return Behaviors.receive(Object.class)
              .onMessage(NodeEvent.class, event -> Behaviors.same())
              .onMessage(End.class, how -> end(how, child))
              .onSignal(Terminated.class, signal -> Behaviors.stopped())
              .build();
        });
  }

  private static Behavior<Object> end(End how, ActorRef<Object> child) {
    return switch (how) {
      case NOW -> Behaviors.stopped();
      case AFTER_CHILD -> {
        child.tell(how);
        yield Behaviors.same();
      }
      case BY_FAILURE -> throw new IllegalStateException(Poison.TEXT);
    };
  }

  /** Ends an actor with a child, after these events. */
  private static void run(Consumer<ActorRef<Object>> end, NodeEvent... events) {
    Simulation.of(1)
        .run(
            system -> {
              system.expectLog(Poison.TEXT);
              ActorRef<Object> parent = system.spawn(parent(), "parent");
              List.of(events).forEach(parent::tell);
              end.accept(parent);
              system.settle();
            });
  }

  @Test
  void anActorThatStopsBeforeItsChildFailsTheRun() {
    assertThatExceptionOfType(SimulationFailedError.class)
        .isThrownBy(() -> run(parent -> parent.tell(End.NOW), GONE))
        .withMessageContaining("parent stops before its children: [child]");
  }

  @Test
  void anActorMayStopAfterItsChild() {
    run(parent -> parent.tell(End.AFTER_CHILD), GONE);
  }

  @Test
  void anActorThatFailsOrIsKilledNeedNotWait() {
    run(parent -> parent.tell(End.BY_FAILURE), GONE);
    run(parent -> Adapter.toClassic(parent).tell(PoisonPill.getInstance(), null), GONE);
    run(parent -> parent.tell(PoisonSignal.NOW), GONE);
  }

  @Test
  void aFailedContextNeedNotWaitUntilItRunsAgain() {
    run(parent -> parent.tell(End.NOW), RUNNING, FAILED, GONE);
    assertThatExceptionOfType(SimulationFailedError.class)
        .isThrownBy(() -> run(parent -> parent.tell(End.NOW), RUNNING, FAILED, RUNNING))
        .withMessageContaining("parent stops before its children: [child]");
  }

  @Test
  void anActorOfAUserNeedNotWait() {
    run(parent -> parent.tell(End.NOW));
  }
}
