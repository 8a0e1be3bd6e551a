package io.dpuactors.simulation;

import io.dpuactors.loop.ManualLoop;
import io.dpuactors.simulation.TraceStep.Kind;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.Mailbox;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run, as a hash. Two runs with the same hash ran the same actors with messages of
 * the same types at the same virtual times. They also noted the same results. Reports each step on
 * request. World's thread.
 */
final class Trace {
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final @Nullable Consumer<TraceStep> reader;

  /** Senders of messages that wait; only with a reader. */
  private final IdentityHashMap<Envelope, String> senders = new IdentityHashMap<>();

  private final Supplier<Map<String, Long>> device;
  private Map<String, Long> before = Map.of();
  private String current = "";
  private long hash;
  private long steps;

  /**
   * Creates an empty trace.
   *
   * @param reader accepts each step; null: only the hash is needed
   * @param device returns the numbers of objects of the software DPU
   */
  Trace(@Nullable Consumer<TraceStep> reader, Supplier<Map<String, Long>> device) {
    this.reader = reader;
    this.device = device;
  }

  long hash() {
    return hash;
  }

  long steps() {
    return steps;
  }

  /** Notes the sender of a message. */
  void sent(Envelope message) {
    if (reader != null) {
      senders.put(message, current);
    }
  }

  /** Adds a task of a dispatcher that is about to run. */
  void task(String dispatcher, Runnable task, long nowNs) {
    steps++;
    current = dispatcher;
    if (!(task instanceof Mailbox mailbox)) {
      add(nowNs, dispatcher, "task");
      report(nowNs, Kind.TASK, dispatcher, "", task);
      return;
    }
    ActorCell actor = mailbox.actor();
    Envelope next = head(mailbox);
    String name = actor == null ? "nobody" : unnumbered(actor.self().path().name());
    add(nowNs, name, next == null ? "signal" : typeOf(next.message()));
    if (reader != null && actor != null) {
      current = actor.self().path().toStringWithoutAddress();
      if (next == null) {
        report(nowNs, Kind.SIGNAL, current, "", signal(mailbox));
      } else {
        String from = senders.remove(next);
        report(nowNs, Kind.MESSAGE, current, from == null ? "" : from, next.message());
      }
    }
  }

  /** Messages come from this loop, and not from an actor, until the next task. */
  void enter(String name) {
    current = name;
  }

  /** Adds a step of an engine's loop, after it ran. */
  void loop(ManualLoop loop, boolean worked, long nowNs) {
    steps++;
    if (worked) {
      add(nowNs, loop.toString(), "turn");
      if (reader != null) {
        reportDevice(loop.toString(), nowNs);
      }
    }
  }

  /** Reports the numbers of native objects that have changed. */
  private void reportDevice(String loop, long nowNs) {
    Map<String, Long> now = device.get();
    StringJoiner changes = new StringJoiner(", ");
    now.forEach(
        (name, count) -> {
          long change = count - before.getOrDefault(name, 0L);
          if (change != 0) {
            changes.add("%s %d (%+d)".formatted(name, count, change));
          }
        });
    before = now;
    if (changes.length() > 0) {
      report(nowNs, Kind.DEVICE, loop, "", changes);
    }
  }

  /** Adds a result of the run. */
  void note(String result, long nowNs) {
    add(nowNs, result, "note");
    report(nowNs, Kind.NOTE, "", "", result);
  }

  private void report(long nowNs, Kind kind, String subject, String from, Object text) {
    if (reader != null) {
      reader.accept(new TraceStep(steps, nowNs, kind, subject, from, text.toString()));
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

  /** Pekko numbers streams over all runs. */
  private static String unnumbered(String name) {
    return name.startsWith("flow-") || name.startsWith("StreamSupervisor-")
        ? DIGITS.matcher(name).replaceAll("")
        : name;
  }

  /** Returns the next message of a mailbox; null if only signals wait. */
  private static @Nullable Envelope head(Mailbox mailbox) {
    if (mailbox.hasSystemMessages()) {
      return null;
    }
    return mailbox.messageQueue() instanceof Queue<?> queue && queue.peek() instanceof Envelope next
        ? next
        : null;
  }

  /** Returns the messages of Pekko that wait, the latest first. */
  private static String signal(Mailbox mailbox) {
    StringJoiner names = new StringJoiner(", ");
    for (SystemMessage one = mailbox.systemQueueGet(); one != null; one = one.next()) {
      names.add(one.getClass().getSimpleName());
    }
    return names.toString();
  }

  /** Returns the name of the type without the number that the JVM gives to a lambda. */
  private static String typeOf(Object message) {
    String name = message.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : name.substring(0, lambda);
  }
}
