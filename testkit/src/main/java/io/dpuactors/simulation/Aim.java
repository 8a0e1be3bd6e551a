package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The aim of a run: a cell of the table of coverage, which is a fault or a late disturbance in one
 * state of the program. One of five seeds has an aim, and no other disturbance. The seeds of a
 * scenario take its cells in turn.
 *
 * <p>A fault plan is in force only while the program is in the state, until the fault has happened.
 * The program opens objects for faults of allocations, and stops its engines for late states. A
 * {@link Reduction} drops the fault or the disturbance by 1, and the stop by 2. World's thread.
 */
final class Aim {
  /** One of this number of seeds has an aim. */
  static final int SEEDS = 5;

  /** The stop of the engines that leads to a late state. */
  static final Disturb STOP = new Disturb(Disturbance.STOP_ENGINE, "", "", 0);

  private static final Map<String, List<Cell>> CELLS = new ConcurrentHashMap<>();

  /** Number of objects that a program opens for a fault. All find slots for their tasks. */
  private static final int MOST_HELPS = 3;

  private static final String OPENING = "opening";
  private static final String BUSY = "busy";
  private static final String ENDED = "ended";

  /** States that a run reaches by a stop of its engines. */
  private static final Set<String> LATE = Set.of("stopping", ENDED);

  /** Faults of tasks and their links. */
  private static final List<String> TASKS =
      List.of("fail", "delay", "again", "corrupt", "lost", "twice", "alloc-task");

  /** Faults of objects that an engine opens for any actor. */
  private static final List<String> OBJECTS =
      List.of(
          "alloc-buf", "alloc-map", "alloc-pool", "alloc-engine", "alloc-context", "alloc-start");

  /** Faults of objects that a client opens in its context of tasks. */
  private static final Set<String> OF_CLIENTS = Set.of("alloc-key", "alloc-matrix");

  /** A state of a program, and a fault or a disturbance. */
  record Cell(String state, String row) {}

  /**
   * The request to a program to open an object for a fault, and to stop its engines.
   *
   * @param number of the object
   */
  record Help(String row, int number, boolean stops) {
    /** Returns whether the fault is one of an object that a client opens in its context. */
    boolean isOfClient() {
      return OF_CLIENTS.contains(row);
    }

    /**
     * Opens an object of an engine; nothing if the fault is one of another object.
     *
     * @param engine of the program
     * @param open opens another context of the program with this name
     */
    void open(
        Run run,
        ActorContext<Object> program,
        Consumer<EngineProtocol.Command> engine,
        Consumer<String> open) {
      String name = "other" + number;
      switch (row) {
        case "alloc-buf", "alloc-map", "alloc-pool" ->
            engine.accept(new OpenPool(PoolOptions.of(1, 64), program.getSystem().ignoreRef()));
        case "alloc-context", "alloc-start" -> open.accept(name);
        case "alloc-engine" ->
            Engine.spawn(program, name, TaskProgram.engineOptions(run, TaskProgram.MAX_SLOTS))
                .tell(new Stop());
        default -> {} // the work of the program submits and opens enough
      }
    }
  }

  /** A message to the program in a place, after a number of steps there. */
  private record Shot(String place, int after, Object message) {}

  private final Run run;
  private final String place;
  private final String cell;

  /** The fault plan of the cell; empty: the cell is a disturbance. */
  private final String plan;

  private final Queue<Shot> shots = new ArrayDeque<>();
  private @Nullable ActorRef<Object> program;
  private int steps;
  private boolean isInForce;

  private Aim(Run run, Cell aimed) {
    this.run = run;
    this.place = Coverage.place(run.scenario(), aimed.state());
    this.cell = Coverage.cell(place, aimed.row());
    boolean isFault = faults(run.scenario()).contains(aimed.row());
    boolean isLate = LATE.contains(aimed.state());
    Set<Integer> dropped = run.reduction().dropped();
    this.plan = isFault && !dropped.contains(1) ? FaultPlans.ofRow(run, aimed.row()) : "";
    if (isLate && !dropped.contains(2)) {
      shoot(early(aimed.row()), new Help(aimed.row(), 0, true));
    }
    if (!isFault && !dropped.contains(1)) {
      shoot(aimed.state(), new Disturb(Disturbance.valueOf(aimed.row()), "", "", 0));
    }
    for (int i = 0; i < MOST_HELPS && !isLate && !plan.isEmpty(); i++) {
      shoot(aimed.state(), new Help(aimed.row(), i, false));
    }
  }

  /** Returns the aim of the run; null: none. */
  static @Nullable Aim of(Run run) {
    Cell aimed = cell(run);
    return aimed == null ? null : new Aim(run, aimed);
  }

  /** Returns the cell that the run aims at; null: none. */
  static @Nullable Cell cell(Run run) {
    if (run.seed() % SEEDS != SEEDS - 1) {
      return null;
    }
    List<Cell> all = CELLS.computeIfAbsent(run.scenario(), Aim::cells);
    return all.isEmpty() ? null : all.get((int) (run.seed() / SEEDS % all.size()));
  }

  /** Returns whether the run aims at a state. */
  static boolean isAt(Run run, String state) {
    Cell aimed = cell(run);
    return aimed != null && aimed.state().equals(state);
  }

  /** Returns the fault or the disturbance that the run aims at; empty: none. */
  static String row(Run run) {
    Cell aimed = cell(run);
    return aimed == null ? "" : aimed.row();
  }

  /** Returns the cells of a scenario: its possible faults, and the disturbances of late states. */
  static List<Cell> cells(String scenario) {
    List<Cell> cells = new ArrayList<>();
    for (String state : states(scenario)) {
      faults(scenario).stream()
          .filter(fault -> isPossible(scenario, state, fault))
          .forEach(fault -> cells.add(new Cell(state, fault)));
      if (LATE.contains(state)) {
        disturbances(scenario).forEach(what -> cells.add(new Cell(state, what.name())));
      }
    }
    return cells;
  }

  /** Returns the states of the scenarios with a table; nothing for the others. */
  private static List<String> states(String scenario) {
    return switch (scenario) {
      case "comch" -> ComchProgram.STATES;
      case "rdma" -> RdmaProgram.STATES;
      case "sync-event" -> SyncEventProgram.STATES;
      default -> FaultPlans.OF_TRANSFORMS.contains(scenario) ? TaskProgram.STATES : List.of();
    };
  }

  private static List<String> faults(String scenario) {
    List<String> others =
        switch (scenario) {
          case "aes-gcm" -> List.of("alloc-key");
          case "erasure-coding" -> List.of("alloc-matrix");
          case "batches" -> List.of("alloc-key", "alloc-matrix");
          case "comch" -> List.of("comch-link", "alloc-packet");
          case "rdma" -> List.of("down", "drop");
          default -> List.of();
        };
    return Stream.of(TASKS, OBJECTS, others).flatMap(Collection::stream).toList();
  }

  /** Returns whether a fault can happen in a state. The file of the table has the reasons. */
  private static boolean isPossible(String scenario, String state, String fault) {
    if (!state.equals(OPENING)) {
      return !state.equals(ENDED);
    }
    return switch (scenario) {
      case "comch", "sync-event" -> OBJECTS.contains(fault);
      case "rdma" -> !fault.equals("down") && !fault.equals("drop");
      default -> !OF_CLIENTS.contains(fault);
    };
  }

  private static Set<Disturbance> disturbances(String scenario) {
    Set<Disturbance> all = EnumSet.complementOf(EnumSet.of(Disturbance.FAULTS));
    if (FaultPlans.OF_TRANSFORMS.contains(scenario)) {
      all.remove(Disturbance.KILL_HOST);
    }
    return all;
  }

  /** Returns the state in which the engines stop. Only a busy program has tasks that wait. */
  private String early(String row) {
    boolean isAny = OBJECTS.contains(row) || !faults(run.scenario()).contains(row);
    List<String> early =
        states(run.scenario()).stream().filter(state -> !LATE.contains(state)).toList();
    return isAny ? early.get(run.draw(0, early.size() - 1)) : BUSY;
  }

  private void shoot(String state, Object message) {
    int after =
        switch (state) {
          case ENDED -> 0; // nothing happens any more
          case "stopping", OPENING -> run.draw(0, 6);
          default -> run.draw(0, run.oneOf(1, 8, 64));
        };
    shots.add(new Shot(Coverage.place(run.scenario(), state), after, message));
  }

  /** Returns whether a reduction has left nothing of the aim. */
  boolean isCalm() {
    return plan.isEmpty() && shots.isEmpty();
  }

  /** Begins to watch the states of the program. */
  void begin(ActorRef<Object> self) {
    program = self;
    run.aim(this);
  }

  /** Sees the place of the program after each step. */
  void at(String now) {
    boolean isThere = now.equals(place) && !plan.isEmpty();
    if (isThere != isInForce && (isInForce || !run.reached().containsKey(cell))) {
      isInForce = isThere;
      run.faults(isThere ? plan : "");
    }
    Shot next = shots.peek();
    if (next != null && program != null && now.equals(next.place()) && steps++ >= next.after()) {
      steps = 0;
      shots.remove();
      program.tell(next.message());
    }
  }
}
