package io.dpuactors.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The cells of the tables of coverage, and the rule for those that no run can reach. */
final class Cells {
  static final String OPENING = "opening";
  static final String BUSY = "busy";
  static final String STOPPING = "stopping";
  static final String ENDED = "ended";

  /** States that a run reaches by a stop of its engines. */
  static final Set<String> LATE = Set.of(STOPPING, ENDED);

  /** Faults of tasks and their links. */
  static final List<String> TASKS =
      List.of("fail", "delay", "again", "corrupt", "lost", "twice", "alloc-task");

  /** Faults of objects that an engine opens for any actor. */
  static final List<String> OBJECTS =
      List.of(
          "alloc-buf", "alloc-map", "alloc-pool", "alloc-engine", "alloc-context", "alloc-start");

  /** Faults of objects that a client opens in its context of tasks. */
  static final List<String> OF_CLIENTS = List.of("alloc-key", "alloc-matrix");

  /** Faults of links of RDMA. Each task of a connection uses its link. */
  static final List<String> OF_RDMA = List.of("down", "drop");

  static final String COMCH_LINK = "comch-link";
  static final String ALLOC_PACKET = "alloc-packet";
  static final String CONTEXT_EVENT = "ctx-event";

  private static final Map<String, List<Cell>> POSSIBLE = new ConcurrentHashMap<>();

  /** A state of a program, and a fault or a disturbance. */
  record Cell(String state, String row) {}

  /** The reasons why no run can reach a cell. */
  enum Impossible {
    HOST("h", "the engines of the scenario are on one host, which does not die"),
    LINK("l", "the scenario has no such link"),
    OBJECT("o", "the scenario has no such object"),
    END("e", "the engine has ended, so nothing is submitted or created, and no state changes"),
    CLIENT(
        "n",
        "no client has a context or a connection yet, so no task is submitted and no packet is"
            + " sent"),
    CONTEXT("c", "a client creates this object only in its open context");

    private final String mark;
    private final String why;

    Impossible(String mark, String why) {
      this.mark = mark;
      this.why = why;
    }

    /** Returns the mark in the tables. */
    String mark() {
      return mark;
    }

    String why() {
      return why;
    }
  }

  private Cells() {}

  /** Returns the states of the scenarios with a table; nothing for the others. */
  static List<String> states(String scenario) {
    return switch (scenario) {
      case "comch" -> ComchProgram.STATES;
      case "rdma" -> RdmaProgram.STATES;
      case "sync-event" -> SyncEventProgram.STATES;
      case "mixed" -> MixedProgram.STATES;
      default -> FaultPlans.OF_TRANSFORMS.contains(scenario) ? TaskProgram.STATES : List.of();
    };
  }

  /** Returns all faults. */
  static List<String> faults() {
    return Stream.of(
            TASKS, OBJECTS, OF_CLIENTS, OF_RDMA, List.of(COMCH_LINK, ALLOC_PACKET, CONTEXT_EVENT))
        .flatMap(Collection::stream)
        .toList();
  }

  /** Returns all faults, then all disturbances. */
  static List<String> rows() {
    return Stream.concat(faults().stream(), Stream.of(Disturbance.values()).map(Disturbance::name))
        .toList();
  }

  /** Returns why no run of the scenario can reach the cell; empty: a run can. */
  static Optional<Impossible> impossible(String scenario, String state, String row) {
    if (!faults().contains(row)) {
      boolean isOneHost = FaultPlans.OF_TRANSFORMS.contains(scenario);
      return isOneHost && row.equals(Disturbance.KILL_HOST.name())
          ? Optional.of(Impossible.HOST)
          : Optional.empty();
    }
    if (!has(scenario, row)) {
      boolean isLink = OF_RDMA.contains(row) || row.equals(COMCH_LINK);
      return Optional.of(isLink ? Impossible.LINK : Impossible.OBJECT);
    }
    if (state.equals(ENDED)) {
      return Optional.of(Impossible.END);
    }
    return state.equals(OPENING) ? atOpening(scenario, row) : Optional.empty();
  }

  /** Returns whether the scenario has the link or the object of a fault. */
  private static boolean has(String scenario, String fault) {
    Set<String> users =
        switch (fault) {
          case "alloc-key" -> Set.of("aes-gcm", "batches", "mixed");
          case "alloc-matrix" -> Set.of("erasure-coding", "batches", "mixed");
          case COMCH_LINK, ALLOC_PACKET -> Set.of("comch", "mixed");
          case "down", "drop" -> Set.of("rdma", "mixed");
          default -> Set.of(scenario);
        };
    return users.contains(scenario);
  }

  /** Contexts of a mixed program open while others work. */
  private static Optional<Impossible> atOpening(String scenario, String fault) {
    boolean isOfEngine = OBJECTS.contains(fault) || fault.equals(CONTEXT_EVENT);
    return switch (scenario) {
      case "comch", "sync-event" -> isOfEngine ? Optional.empty() : Optional.of(Impossible.CLIENT);
      case "rdma" -> OF_RDMA.contains(fault) ? Optional.of(Impossible.CLIENT) : Optional.empty();
      case "mixed" -> Optional.empty();
      default -> OF_CLIENTS.contains(fault) ? Optional.of(Impossible.CONTEXT) : Optional.empty();
    };
  }

  /**
   * Returns the possible cells of a scenario, one row after the other: a few aims in turn have
   * different states.
   */
  static List<Cell> possible(String scenario) {
    return POSSIBLE.computeIfAbsent(scenario, Cells::list);
  }

  private static List<Cell> list(String scenario) {
    List<Cell> cells = new ArrayList<>();
    for (String row : rows()) {
      for (String state : states(scenario)) {
        if (impossible(scenario, state, row).isEmpty()) {
          cells.add(new Cell(state, row));
        }
      }
    }
    return cells;
  }
}
