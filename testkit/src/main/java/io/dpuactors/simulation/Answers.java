package io.dpuactors.simulation;

import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;

/** Counts the commands of a program and their answers. Each command must have one answer. */
final class Answers {
  private final Run run;
  private final Map<String, Integer> missing = new TreeMap<>();

  Answers(Run run) {
    this.run = run;
  }

  /** Counts a command of a kind. Returns the receiver of its answer. */
  <R> ActorRef<R> expect(String kind, ActorRef<Object> receiver) {
    missing.merge(kind, 1, Integer::sum);
    return receiver.narrow();
  }

  /** Counts an answer. */
  void answered(String kind) {
    run.check(missing.merge(kind, -1, Integer::sum) >= 0, "a command has two answers: " + kind);
  }

  /** Fails the run if an answer is missing. */
  void check() {
    missing.forEach(
        (kind, count) -> run.check(count == 0, "%d commands have no answer: %s", count, kind));
  }
}
