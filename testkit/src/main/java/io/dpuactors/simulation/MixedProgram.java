package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Several programs on the same two engines: contexts of tasks, the communication channel, RDMA and
 * sync events. World's thread.
 */
final class MixedProgram extends PairProgram {
  /** States of the program, for the table of coverage. */
  static final List<String> STATES = List.of("opening", "busy", "stopping", "ended");

  static final int FEWEST = 2;
  static final int MOST = 4;

  /** Slots of each engine for the tasks of all parts. */
  private static final int SLOTS = 2 * TaskProgram.MAX_SLOTS;

  /** States of a part that has not begun its work. */
  private static final Set<String> OPENING = Set.of("opening", "connecting");

  /** Name of the part with contexts of tasks on the engine of the DPU. */
  private static final String TASKS = "tasks-dpu";

  private record Kind(String name, Function<ActorContext<Object>, PairProgram> create) {}

  private final int count;

  /** The parts whose actors have started. */
  private final List<PairProgram> parts = new ArrayList<>();

  /** All disturbances so far. */
  private final List<Disturb> disturbed = new ArrayList<>();

  MixedProgram(Run run, ActorContext<Object> context) {
    super(run, context, Disturbances.drawForHosts(run, STATES), null, SLOTS);
    this.count = run.draw(FEWEST, MOST);
    List<Kind> kinds = kinds();
    Set<String> needed = needed();
    while (kinds.size() > count) {
      int drawn = run.draw(0, kinds.size() - 1);
      if (!needed.contains(kinds.get(drawn).name())) {
        kinds.remove(drawn);
      }
    }
    kinds.forEach(this::spawn);
  }

  /** Returns the kinds of all parts. */
  private List<Kind> kinds() {
    return new ArrayList<>(
        List.of(
            new Kind(TASKS, me -> new TaskPart(run, me, this, engines.dpu())),
            new Kind("tasks-host", me -> new TaskPart(run, me, this, engines.host())),
            new Kind("comch", me -> ComchProgram.create(run, me, this)),
            new Kind("rdma", me -> new RdmaProgram(run, me, this)),
            new Kind("sync-event", me -> new SyncEventProgram(run, me, this))));
  }

  /**
   * Returns the parts that an aim needs, at most two. Contexts of tasks open again and again, and
   * each request of a sync event finds room for its task.
   */
  private Set<String> needed() {
    Set<String> needed = new HashSet<>();
    switch (Aim.row(run)) {
      case "alloc-key", "alloc-matrix" -> needed.add(TASKS);
      case "down", "drop" -> needed.add("rdma");
      case Cells.COMCH_LINK, Cells.ALLOC_PACKET -> needed.add("comch");
      default -> {
        if (Aim.stopsAtRequest(run, run.scenario())) {
          needed.add("sync-event");
        }
      }
    }
    if (Aim.isAt(run, Cells.OPENING)) {
      needed.add(TASKS);
    }
    return needed;
  }

  private void spawn(Kind kind) {
    run.reached("part " + kind.name());
    context.spawn(
        Behaviors.<Object>setup(
            me -> {
              PairProgram part = kind.create().apply(me);
              parts.add(part);
              disturbed.forEach(part::onDisturb);
              return part.behavior();
            }),
        kind.name());
  }

  /** Adds nothing: the parts receive the answers. */
  @Override
  BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder) {
    return builder;
  }

  @Override
  String workState() {
    boolean isOpening =
        parts.size() < count || parts.stream().anyMatch(part -> OPENING.contains(part.workState()));
    return isOpening ? "opening" : "busy";
  }

  @Override
  @Nullable ActorRef<Object> target() {
    return parts.isEmpty() ? null : parts.get(run.draw(0, parts.size() - 1)).target();
  }

  /** Opens a context of tasks. */
  @Override
  void openAnother(String name) {
    TaskOptions options = TaskOptions.defaults().withWindow(1).withQueue(0);
    engines
        .dpu()
        .tell(new OpenLibrary(TaskLibrary.DMA, name, options, context.getSystem().ignoreRef()));
  }

  @Override
  void createAnother(Aim.Help help) {
    if (help.isOfClient()) {
      parts.forEach(part -> part.createAnother(help));
    }
  }

  /** A part that has not started hears of the disturbance at its start. */
  @Override
  void onDisturb(Disturb disturb) {
    disturbed.add(disturb);
    parts.forEach(part -> part.onDisturb(disturb));
  }

  /** Stops the engines of a disturbed run while tasks run. A calm run completes all requests. */
  @Override
  void onDone() {
    if (!isCalm && isDone()) {
      stop();
    }
  }

  @Override
  boolean isDone() {
    return parts.size() == count && parts.stream().allMatch(PairProgram::isDone);
  }

  @Override
  void onStop() {
    parts.forEach(PairProgram::onStop);
  }

  @Override
  void checkAtRest() {
    parts.forEach(PairProgram::checkAtRest);
  }

  @Override
  void check() {
    parts.forEach(PairProgram::checkEnd);
  }
}
