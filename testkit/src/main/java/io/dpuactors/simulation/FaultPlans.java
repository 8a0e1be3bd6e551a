package io.dpuactors.simulation;

import java.util.ArrayList;
import java.util.List;

/** Random fault plans for the software DPU. */
final class FaultPlans {
  private static final int MAX_RULES = 3;

  /** Percentage of rules that delay all tasks for long: the device is stuck. */
  private static final int STUCK = 15;

  /**
   * Longest delay of a rule, milliseconds. All rules together stay below a stop's deadline: a stop
   * waits for delayed tasks, and a disconnect for delayed messages.
   */
  private static final int LONGEST_MS = 1_200;

  /** Percentage of rules for links. */
  private static final int LINKS = 15;

  /** Percentage of rules for allocations, after the rules for links. */
  private static final int ALLOCATIONS = 15;

  private static final String[] ALLOCATED = {
    "task", "buf", "map", "key", "matrix", "pool", "context", "start", "engine"
  };

  private static final String COMCH_LINK = "comch-link:";

  private FaultPlans() {}

  /** Draws a plan, perhaps an empty one. */
  static String draw(Run run) {
    List<String> rules = new ArrayList<>();
    int count = run.draw(0, MAX_RULES);
    for (int i = 0; i < count; i++) {
      rules.add(rule(run));
    }
    return String.join(" ; ", rules);
  }

  private static String rule(Run run) {
    int kind = run.draw(0, 99);
    if (kind < STUCK) {
      return "*:delay=%dms".formatted(run.draw(500, LONGEST_MS));
    }
    return rule(run, kind - STUCK) + ":" + selector(run);
  }

  private static String rule(Run run, int kind) {
    if (kind < LINKS) {
      return ofLink(run);
    }
    return kind < LINKS + ALLOCATIONS
        ? "alloc-" + run.oneOf(ALLOCATED) + ":fail"
        : "*:" + action(run);
  }

  private static String ofLink(Run run) {
    String rule =
        run.oneOf(
            COMCH_LINK,
            "rdma-link:down",
            "rdma-link:drop=" + run.draw(1, 10),
            "rdma-link:delay=" + run.draw(1, 200) + "ms");
    return rule.equals(COMCH_LINK) ? COMCH_LINK + ofComchLink(run) : rule;
  }

  private static String ofComchLink(Run run) {
    return run.oneOf("down", "delay=" + run.draw(1, LONGEST_MS) + "ms");
  }

  private static String action(Run run) {
    return switch (run.draw(0, 8)) {
      case 0, 1 -> "fail";
      case 2 -> "delay=" + run.draw(1, 500) + "us";
      case 3 -> "delay=" + run.draw(1, 200) + "ms";
      case 4 -> "delay=" + run.draw(500, LONGEST_MS) + "ms";
      case 5 -> "again=" + run.draw(1, 50);
      case 6 -> "corrupt";
      case 7 -> "twice";
      default -> "lost";
    };
  }

  private static String selector(Run run) {
    return switch (run.draw(0, 3)) {
      case 0 -> "nth=" + run.draw(1, 60);
      case 1 -> "first=" + run.draw(1, 4);
      case 2 -> "p=0." + run.draw(1, 9);
      default -> "p=0.0" + run.draw(1, 9);
    };
  }
}
