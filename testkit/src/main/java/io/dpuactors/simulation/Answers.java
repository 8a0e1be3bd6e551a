package io.dpuactors.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Counts the commands of a program and their answers. Each command must have one answer. A command
 * that waits for no work of a program has its answer within a minute, plus the pauses of engines.
 */
final class Answers {
  /** More than the configured deadlines of a connection, its server and its engine together. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Kinds of commands that wait for a message, a buffer, or a time that the program chooses. */
  private static final Set<String> UNLIMITED = Set.of("receive", "await", "lease", "post");

  private final Run run;
  private final Map<String, Integer> missing = new TreeMap<>();

  /** Times of the commands without an answer, nanoseconds, the oldest first, by kind. */
  private final Map<String, Deque<Long>> sentNs = new TreeMap<>();

  Answers(Run run) {
    this.run = run;
  }

  /** Counts a command of a kind. Returns the receiver of its answer. */
  <R> ActorRef<R> expect(String kind, ActorRef<Object> receiver) {
    missing.merge(kind, 1, Integer::sum);
    sentNs.computeIfAbsent(kind, first -> new ArrayDeque<>()).add(run.nowNs());
    return receiver.narrow();
  }

  /**
   * Counts an answer, and checks its time. The answer may belong to any command of its kind: none
   * of them is older than the oldest.
   */
  void answered(String kind) {
    run.check(missing.merge(kind, -1, Integer::sum) >= 0, "a command has two answers: " + kind);
    Long oldestNs = sentNs.getOrDefault(kind, new ArrayDeque<>()).poll();
    if (oldestNs != null && !UNLIMITED.contains(kind)) {
      long tookNs = run.nowNs() - oldestNs;
      long mostNs = LIMIT.toNanos() + Deadlines.pausesNs(run);
      run.check(
          tookNs <= mostNs, "the answer to %s took %d ns, more than %d ns", kind, tookNs, mostNs);
    }
  }

  /** Fails the run if an answer is missing. */
  void check() {
    missing.forEach(
        (kind, count) -> run.check(count == 0, "%d commands have no answer: %s", count, kind));
  }
}
