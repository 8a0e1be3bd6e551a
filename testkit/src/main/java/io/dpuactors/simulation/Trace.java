package io.dpuactors.simulation;

import io.dpuactors.loop.ManualLoop;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run, as a hash. Two runs with the same hash ran the same actors with messages of
 * the same types at the same virtual times, and noted the same results. Writes the steps as text on
 * request. World's thread.
 */
final class Trace {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final @Nullable Consumer<String> lines;
  private long hash;
  private long steps;

  /**
   * Creates an empty trace.
   *
   * @param lines accepts one line per step; null: only the hash is needed
   */
  Trace(@Nullable Consumer<String> lines) {
    this.lines = lines;
  }

  long hash() {
    return hash;
  }

  long steps() {
    return steps;
  }

  /** Adds a task of a dispatcher that is about to run. */
  void task(String dispatcher, Runnable task, long nowNs) {
    steps++;
    if (!(task instanceof Mailbox mailbox)) {
      add(nowNs, dispatcher, "task");
      if (lines != null) {
        lines.accept(line(nowNs, dispatcher + " runs " + task));
      }
      return;
    }
    ActorCell actor = mailbox.actor();
    Object message = head(mailbox);
    String name = actor == null ? "nobody" : actor.self().path().name();
    add(nowNs, name, message == null ? "signal" : typeOf(message));
    if (lines != null && actor != null) {
      String path = actor.self().path().toStringWithoutAddress();
      lines.accept(line(nowNs, path + " <- " + (message == null ? "signal" : message)));
    }
  }

  /** Adds a step of an engine's loop, after it ran. */
  void loop(ManualLoop loop, boolean worked, long nowNs) {
    steps++;
    if (worked) {
      add(nowNs, loop.toString(), "turn");
    }
  }

  /** Adds a result of the run. */
  void note(String result, long nowNs) {
    add(nowNs, result, "note");
    if (lines != null) {
      lines.accept(line(nowNs, "note: " + result));
    }
  }

  private void add(long nowNs, String subject, String what) {
    mix(nowNs);
    mix(subject.hashCode());
    mix(what.hashCode());
  }

  private void mix(long value) {
    hash = Long.rotateLeft((hash ^ value) * FACTOR, 29);
  }

  private String line(long nowNs, String text) {
    return "%6d %4d.%09d %s".formatted(steps, nowNs / 1_000_000_000, nowNs % 1_000_000_000, text);
  }

  /** Returns the next message of a mailbox; null if only signals wait. */
  private static @Nullable Object head(Mailbox mailbox) {
    if (mailbox.hasSystemMessages()) {
      return null;
    }
    return mailbox.messageQueue() instanceof Queue<?> queue && queue.peek() instanceof Envelope next
        ? next.message()
        : null;
  }

  /** Returns the name of the type without the number that the JVM gives to a lambda. */
  private static String typeOf(Object message) {
    String name = message.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : name.substring(0, lambda);
  }
}
