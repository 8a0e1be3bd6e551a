package io.dpuactors.simulation;

import io.dpuactors.loop.ManualLoop;
import io.dpuactors.simulation.TraceStep.Kind;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
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
  /** Checks the steps of actors. */
  interface Observer {
    /** Handles the end of an actor's step, before the next step of any actor. */
    default void afterStep(ActorCell actor) {}

    /** Handles that an actor handles a message in the current step. */
    default void handled(ActorRef actor, Object message) {}
  }

  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final String PROGRESS = "doca_pe_progress(";
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final @Nullable Consumer<TraceStep> reader;

  /** Senders of messages that wait; only with a reader. */
  private final IdentityHashMap<Envelope, String> senders = new IdentityHashMap<>();

  private final DeviceTime device;
  private List<Observer> observers = List.of();
  private @Nullable ActorCell last;
  private Map<String, Long> before = Map.of();
  private String current = "";
  private long hash;
  private long steps;

  /**
   * Creates an empty trace.
   *
   * @param reader accepts each step; null: only the hash is needed
   * @param device counts native objects, and keeps native calls for the reader
   */
  Trace(@Nullable Consumer<TraceStep> reader, DeviceTime device) {
    this.reader = reader;
    this.device = device;
  }

  /** Sets the observers of the steps of actors. */
  void observe(Observer... steps) {
    observers = List.of(steps);
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
    reportCalls(nowNs, false);
    endStep();
    steps++;
    current = dispatcher;
    if (!(task instanceof Mailbox mailbox)) {
      add(nowNs, dispatcher, "task");
      report(nowNs, Kind.TASK, dispatcher, "", task);
      return;
    }
    ActorCell actor = mailbox.actor();
    ActorRef self = actor == null ? null : actor.self();
    last = actor;
    Envelope next = head(mailbox);
    if (next != null) {
      handled(self, next, nowNs);
    } else if (mailbox.hasSystemMessages()) {
      add(nowNs, nameOf(self), "signal");
      if (reader != null && self != null) {
        current = self.path().toStringWithoutAddress();
        report(nowNs, Kind.SIGNAL, current, "", signal(mailbox));
      }
    }
  }

  private void endStep() {
    ActorCell actor = last;
    last = null;
    if (actor != null) {
      for (Observer observer : observers) {
        observer.afterStep(actor);
      }
    }
  }

  /** Adds a message that an actor handles in the current step, perhaps after signals. */
  void handled(@Nullable ActorRef actor, Envelope message, long nowNs) {
    add(nowNs, nameOf(actor), typeOf(message.message()));
    if (actor != null) {
      for (Observer observer : observers) {
        observer.handled(actor, message.message());
      }
    }
    if (reader != null && actor != null) {
      reportCalls(nowNs, false);
      current = actor.path().toStringWithoutAddress();
      String from = senders.remove(message);
      report(nowNs, Kind.MESSAGE, current, from == null ? "" : from, message.message());
    }
  }

  private static String nameOf(@Nullable ActorRef actor) {
    return actor == null ? "nobody" : unnumbered(actor.path().name());
  }

  /** Messages come from this loop, and not from an actor, until the next task. */
  void enter(String name, long nowNs) {
    reportCalls(nowNs, false);
    current = name;
  }

  /** Adds a step of an engine's loop, after it ran. */
  void loop(ManualLoop loop, boolean worked, long nowNs) {
    steps++;
    reportCalls(nowNs, worked);
    if (worked) {
      add(nowNs, loop.toString(), "turn");
      if (reader != null) {
        reportDevice(loop.toString(), nowNs);
      }
    }
  }

  /**
   * Reports the native calls of the current actor or loop. Progress alone is no report without
   * work.
   */
  private void reportCalls(long nowNs, boolean worked) {
    if (reader == null) {
      return;
    }
    List<String> made = device.takeCalls();
    if (worked ? !made.isEmpty() : !made.stream().allMatch(call -> call.startsWith(PROGRESS))) {
      report(nowNs, Kind.CALLS, current, "", String.join(", ", made));
    }
  }

  /** Reports the numbers of native objects that have changed. */
  private void reportDevice(String loop, long nowNs) {
    Map<String, Long> now = device.state();
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

  /** Pekko numbers streams, and the event streams of all actor systems, over all runs. */
  private static String unnumbered(String name) {
    return name.startsWith("flow-")
            || name.startsWith("StreamSupervisor-")
            || name.startsWith("eventStreamUnsubscriber-")
        ? DIGITS.matcher(name).replaceAll("")
        : name;
  }

  /**
   * Returns the next message of a mailbox that does not report its messages; null if signals wait.
   */
  private static @Nullable Envelope head(Mailbox mailbox) {
    if (mailbox.hasSystemMessages() || mailbox.messageQueue() instanceof WorldMailbox.Messages) {
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
