package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.simulation.Cells.Cell;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The aim of a run: a cell of the table of coverage, which is a fault or a disturbance in one state
 * of the program. One of five seeds has an aim, and no other disturbance. The seeds of a scenario
 * take its cells in turn.
 *
 * <p>A fault plan is in force only while the program is in the state, until the fault has happened.
 * The program opens objects for faults of allocations, or stops its engines for late states: some
 * stops follow a request, which the engines then handle while they stop. A {@link Reduction} drops
 * the fault or the disturbance by 1, and the stop by 2. World's thread.
 */
final class Aim {
  /** One of this number of seeds has an aim. */
  static final int SEEDS = 5;

  /** The stop of the engines that leads to a late state. */
  static final Disturb STOP = new Disturb(Disturbance.STOP_ENGINE, "", "", 0);

  /** Number of objects that a program opens for a fault. All find slots for their tasks. */
  private static final int MOST_HELPS = 3;

  /** Percentage of disturbances that follow a stop at once. The others may come too late. */
  private static final int AT_ONCE = 70;

  /**
   * The request to a program to open an object for a fault, and to stop its engines.
   *
   * @param number of the object
   * @param next the disturbance that follows at once; at most one
   */
  record Help(String row, int number, boolean stops, List<Disturb> next) {
    /** Returns whether the fault is one of an object that a client opens in its context. */
    boolean isOfClient() {
      return Cells.OF_CLIENTS.contains(row);
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
        case "alloc-context", "alloc-start", Cells.CONTEXT_EVENT -> open.accept(name);
        case "alloc-engine" ->
            Engine.spawn(program, name, TaskProgram.engineOptions(run, TaskProgram.MAX_SLOTS))
                .tell(new Stop());
        default -> {} // the work of the program submits and opens enough
      }
    }
  }

  /** A message to the program in a place, after a number of steps there. */
  private record Shot(String place, int after, Object message) {
    /** Returns whether the shot stops the engines, for a later state. */
    boolean stops() {
      return message instanceof Help help && help.stops();
    }
  }

  private final Run run;
  private final String place;
  private final String cell;
  private final Set<String> late;
  private final boolean stopsAtRequest;

  /** Known at the start: later, the program has received the messages. */
  private final boolean isCalm;

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
    this.late =
        Cells.LATE.stream()
            .map(state -> Coverage.place(run.scenario(), state))
            .collect(Collectors.toUnmodifiableSet());
    boolean isFault = Cells.faults().contains(aimed.row());
    boolean happens = !run.reduction().dropped().contains(1);
    this.stopsAtRequest = mayStopAtRequest(run, aimed);
    this.plan = isFault && happens ? FaultPlans.ofRow(run, aimed.row()) : "";
    if (!isFault) {
      disturb(aimed, happens);
    } else if (Cells.LATE.contains(aimed.state())) {
      stop(aimed, List.of());
    } else if (happens) {
      for (int i = 0; i < MOST_HELPS; i++) {
        shoot(aimed.state(), new Help(aimed.row(), i, false, List.of()));
      }
    }
    this.isCalm = plan.isEmpty() && shots.isEmpty() && !stopsAtRequest;
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
    List<Cell> all = Cells.possible(run.scenario());
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

  /**
   * Returns whether the engines stop after a request, which they have not handled.
   *
   * @param part the program that has sent the request: a scenario
   */
  static boolean stopsAtRequest(Run run, String part) {
    Cell aimed = cell(run);
    return aimed != null
        && mayStopAtRequest(run, aimed)
        && (Cells.TASKS.contains(aimed.row()) || part.equals(partOf(aimed.row())));
  }

  private static boolean mayStopAtRequest(Run run, Cell aimed) {
    return aimed.state().equals(Cells.STOPPING)
        && (Cells.TASKS.contains(aimed.row()) || !partOf(aimed.row()).isEmpty())
        && !run.reduction().dropped().contains(2);
  }

  /** Returns the program whose requests use the link of a fault; empty: the fault has none. */
  private static String partOf(String row) {
    if (Cells.OF_RDMA.contains(row)) {
      return "rdma";
    }
    return row.equals(Cells.COMCH_LINK) ? "comch" : "";
  }

  /** Plans the disturbance, and the stop before it. */
  private void disturb(Cell aimed, boolean happens) {
    boolean isLate = Cells.LATE.contains(aimed.state());
    Disturbance what = Disturbance.valueOf(aimed.row());
    String faults = what == Disturbance.FAULTS ? FaultPlans.draw(run) : "";
    Disturb disturb =
        isLate
            ? new Disturb(what, faults, "", 0)
            : new Disturb(what, faults, aimed.state(), Disturbances.MAX_WAITS);
    boolean isAtOnce = aimed.state().equals(Cells.STOPPING) && run.chance(AT_ONCE);
    boolean isPlanned =
        isLate && stop(aimed, isAtOnce && happens ? List.of(disturb) : List.of()) && isAtOnce;
    if (happens && !isPlanned) {
      shoot(aimed.state(), disturb);
    }
  }

  /** Plans the stop, unless it follows a request. Returns whether the run has one. */
  private boolean stop(Cell aimed, List<Disturb> next) {
    boolean isDropped = run.reduction().dropped().contains(2);
    if (!isDropped && !stopsAtRequest) {
      shoot(early(aimed.row()), new Help(aimed.row(), 0, true, next));
    }
    return !isDropped;
  }

  /** Returns the state in which the engines stop. Only a busy program has tasks that wait. */
  private String early(String row) {
    boolean isAny = Cells.OBJECTS.contains(row) || !Cells.faults().contains(row);
    List<String> early =
        Cells.states(run.scenario()).stream().filter(state -> !Cells.LATE.contains(state)).toList();
    return isAny ? early.get(run.draw(0, early.size() - 1)) : Cells.BUSY;
  }

  private void shoot(String state, Object message) {
    int after =
        switch (state) {
          case Cells.ENDED -> 0; // nothing happens any more
          case Cells.BUSY -> run.draw(0, run.oneOf(1, 8, 64));
          default -> run.draw(0, 3);
        };
    shots.add(new Shot(Coverage.place(run.scenario(), state), after, message));
  }

  /** Returns whether a reduction has left nothing of the aim. */
  boolean isCalm() {
    return isCalm;
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
    if (next != null && program != null && isDue(next, now)) {
      steps = 0;
      shots.remove();
      program.tell(next.message());
    }
  }

  /** A program that has done its work stops by itself. */
  private boolean isDue(Shot next, String now) {
    boolean isTooLate = next.stops() && late.contains(now);
    return isTooLate || (now.equals(next.place()) && steps++ >= next.after());
  }
}
