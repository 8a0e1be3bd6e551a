package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of tasks of a {@link MixedProgram} on one of its engines, and their clients. World's
 * thread.
 */
final class TaskPart extends PairProgram {
  private final TaskProgram tasks;

  TaskPart(
      Run run,
      ActorContext<Object> context,
      PairProgram whole,
      ActorRef<EngineProtocol.Command> engine) {
    super(run, context, whole.disturbances, whole);
    List<TaskLibrary> libraries = new ArrayList<>(TaskModel.libraries());
    Collections.swap(libraries, 0, first(run, libraries));
    tasks =
        new TaskProgram(
            libraries, run, context, disturbances, options -> engine, TaskProgram.Form.MIXED);
  }

  /** Returns the library of the first context. An aim may need one with keys or matrices. */
  private static int first(Run run, List<TaskLibrary> libraries) {
    return switch (Aim.row(run)) {
      case "alloc-key" -> libraries.indexOf(TaskLibrary.AES_GCM);
      case "alloc-matrix" -> libraries.indexOf(TaskLibrary.ERASURE_CODING);
      default -> run.draw(0, libraries.size() - 1);
    };
  }

  /** Adds nothing: the clients receive the answers. */
  @Override
  BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder) {
    return builder;
  }

  @Override
  String workState() {
    return tasks.state();
  }

  @Override
  @Nullable ActorRef<Object> target() {
    return tasks.target();
  }

  /** Opens nothing: the whole opens it. */
  @Override
  void openAnother(String name) {}

  /** The whole stops its engines and does the disturbances. */
  @Override
  void createAnother(Aim.Help help) {
    tasks.onHelp(new Aim.Help(help.row(), help.number(), false, List.of()));
  }

  @Override
  void onDisturb(Disturb disturb) {
    tasks.disturbed(disturb);
  }

  @Override
  void onEnd(ActorRef<?> actor) {
    tasks.ended(actor);
  }

  @Override
  void onStop() {
    tasks.stopping();
  }

  /** Returns true: the clients have ended their work when nothing happens any more. */
  @Override
  boolean isDone() {
    return true;
  }

  @Override
  void checkAtRest() {
    tasks.checkAtRest();
  }

  @Override
  void check() {
    tasks.check();
  }
}
