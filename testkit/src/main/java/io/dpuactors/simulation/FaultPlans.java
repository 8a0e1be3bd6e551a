package io.dpuactors.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

  /** Percentage of rules for links and reports of states. */
  private static final int LINKS = 15;

  /** Percentage of rules for allocations, after the rules for links. */
  private static final int ALLOCATIONS = 15;

  private static final String[] ALLOCATED = {
    "task", "buf", "map", "key", "matrix", "pool", "context", "start", "engine", "packet"
  };

  /** Percentage of rules for one type of task, of the rules for tasks. */
  private static final int ONE_TYPE = 50;

  /** Types of tasks of the libraries that read and write buffers. */
  private static final String[] TRANSFORMS = {
    "compress-deflate",
    "decompress-deflate",
    "decompress-lz4-block",
    "decompress-lz4-stream",
    "dma-memcpy",
    "sha-hash",
    "sha-partial-hash",
    "aes-gcm-encrypt",
    "aes-gcm-decrypt",
    "ec-create",
    "ec-recover",
    "ec-update"
  };

  /** Types of tasks of the scenarios that use no {@link #TRANSFORMS}. */
  private static final Map<String, String[]> OTHERS =
      Map.of(
          "comch",
          new String[] {"comch-send", "comch-post-recv", "comch-producer-send"},
          "rdma",
          new String[] {
            "rdma-read",
            "rdma-write",
            "rdma-write-imm",
            "rdma-send",
            "rdma-send-imm",
            "rdma-receive",
            "rdma-atomic-cmp-swp",
            "rdma-atomic-fetch-add",
            "rdma-event-get",
            "rdma-event-notify-set",
            "rdma-event-notify-add"
          },
          "sync-event",
          new String[] {
            "sync-event-get", "sync-event-notify-add", "sync-event-wait-eq", "sync-event-wait-neq"
          });

  /** Scenarios of the {@link #TRANSFORMS}. Other programs may use any type. */
  static final List<String> OF_TRANSFORMS =
      List.of("compress", "dma", "sha", "aes-gcm", "erasure-coding", "batches", "group");

  private static final String[] ANY =
      Stream.concat(Arrays.stream(TRANSFORMS), OTHERS.values().stream().flatMap(Arrays::stream))
          .sorted()
          .toArray(String[]::new);

  /**
   * Errors of tasks and allocations that fail. TIME_OUT and SHUTDOWN are errors of actors: in an
   * answer of a task, they mean its deadline and the end of its context.
   */
  private static final String[] ERRORS = {
    "AGAIN",
    "BAD_STATE",
    "CONNECTION_RESET",
    "DEVICE_FATAL_ERROR",
    "DRIVER",
    "FULL",
    "INVALID_VALUE",
    "IN_USE",
    "NOT_CONNECTED",
    "NOT_PERMITTED",
    "NO_MEMORY",
    "OPERATING_SYSTEM",
    "UNEXPECTED"
  };

  private static final String COMCH_LINK = "comch-link:";
  private static final String CONTEXT_EVENT = "ctx-event:";

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

  /**
   * Draws a plan with one rule, for the first tasks, packets, allocations or reports of states that
   * follow.
   *
   * @param row of the table of coverage; see {@link Coverage#rows}
   */
  static String ofRow(Run run, String row) {
    String rule =
        switch (row) {
          case "fail" -> "*:" + failure(run);
          case "delay" -> "*:delay=" + run.draw(1, 1_000 * LONGEST_MS) + "us";
          case "again" -> "*:again=" + run.draw(1, 50);
          case "down" -> "rdma-link:down";
          case "drop" -> "rdma-link:drop=" + run.draw(1, 10);
          case Cells.COMCH_LINK -> COMCH_LINK + ofComchLink(run);
          case Cells.CONTEXT_EVENT -> CONTEXT_EVENT + ofContextEvent(run);
          default -> row.startsWith("alloc-") ? row + ":" + failure(run) : "*:" + row;
        };
    return rule + ":first=" + run.draw(1, 4);
  }

  /** Returns the error that each rule of a plan names; empty: none. */
  static List<String> errors(String plan) {
    return Stream.of(plan.split(";", -1))
        .filter(rule -> !rule.isBlank())
        .map(rule -> rule.contains("fail=") ? rule.replaceAll(".*fail=(\\w+).*", "$1") : "")
        .toList();
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
        ? "alloc-" + run.oneOf(ALLOCATED) + ":" + failure(run)
        : type(run) + ":" + action(run);
  }

  private static String type(Run run) {
    return run.chance(ONE_TYPE) ? run.oneOf(types(run.scenario())) : "*";
  }

  private static String[] types(String scenario) {
    return OF_TRANSFORMS.contains(scenario) ? TRANSFORMS : OTHERS.getOrDefault(scenario, ANY);
  }

  private static String failure(Run run) {
    return run.chance(50) ? "fail" : "fail=" + run.oneOf(ERRORS);
  }

  private static String ofLink(Run run) {
    if (!hasLinks(run.scenario())) {
      return CONTEXT_EVENT + ofContextEvent(run);
    }
    String rule =
        run.oneOf(
            COMCH_LINK,
            CONTEXT_EVENT,
            "rdma-link:down",
            "rdma-link:drop=" + run.draw(1, 10),
            "rdma-link:delay=" + run.draw(1, 200) + "ms");
    return switch (rule) {
      case COMCH_LINK -> rule + ofComchLink(run);
      case CONTEXT_EVENT -> rule + ofContextEvent(run);
      default -> rule;
    };
  }

  private static boolean hasLinks(String scenario) {
    return !OF_TRANSFORMS.contains(scenario) && !scenario.equals("sync-event");
  }

  /** A server or client of comch may have no task, so only a report shows its stop. */
  private static String ofContextEvent(Run run) {
    String delay = "delay=" + run.draw(1, 200) + "ms";
    return hasLinks(run.scenario()) && !run.scenario().equals("rdma")
        ? run.oneOf("twice", delay)
        : run.oneOf("lost", "twice", delay);
  }

  private static String ofComchLink(Run run) {
    return run.oneOf("down", "delay=" + run.draw(1, LONGEST_MS) + "ms");
  }

  private static String action(Run run) {
    return switch (run.draw(0, 8)) {
      case 0, 1 -> failure(run);
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
    return switch (run.draw(0, 5)) {
      case 0 -> "nth=" + run.draw(1, 60);
      case 1 -> "first=" + run.draw(1, 4);
      case 2 -> "every=" + run.draw(2, 30);
      case 3 -> "every=%d:first=%d".formatted(run.draw(2, 5), run.draw(5, 60));
      case 4 -> "p=0." + run.draw(1, 9);
      default -> "p=0.0" + run.draw(1, 9);
    };
  }
}
