package io.dpuactors.simulation;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The code of a user, which spawns actors and drives them.
 *
 * @param plan faults from the start
 */
record ProgramScenario(String name, String plan, Consumer<SimulatedSystem> body)
    implements Scenario {
  /** Returns a scenario without a name. */
  static ProgramScenario of(String plan, Consumer<SimulatedSystem> body) {
    return new ProgramScenario("program", plan, body);
  }

  /** A message to the parent of the user's actors. */
  sealed interface Command permits Execute {}

  /** Executes code in the parent, such as a spawn. */
  record Execute(Consumer<ActorContext<?>> action) implements Command {}

  @Override
  public Behavior<Object> create(Run run) {
    run.faults(plan);
    return Behaviors.setup(
        context ->
            Behaviors.receive(Object.class)
                .onMessage(
                    Execute.class,
                    execute -> {
                      execute.action().accept(context);
                      return Behaviors.same();
                    })
                .onMessage(Finish.class, finish -> Behaviors.stopped())
                .build());
  }

  @Override
  public void drive(SimulatedSystem.Driver driver, Run run, ActorRef<Object> root) {
    SimulatedSystem system = new SimulatedSystem(driver, run, root.unsafeUpcast());
    body.accept(system);
    system.settle();
    system.stop();
    system.runFor(Duration.ZERO); // the actors receive the last messages of the engines
    root.tell(Finish.NOW); // ends the periodic timers of the user's actors
  }
}
