package io.dpuactors.simulation;

/**
 * One step of a run. {@link #toString} is its line of text.
 *
 * @param number of the step
 * @param atNs virtual time, nanoseconds
 * @param subject path of the receiver, name of the dispatcher or name of the loop; empty for a note
 * @param from sender: the path of an actor, or the name of a loop for a record of the device; empty
 *     if unknown
 * @param text the message, the signal, the counts of native objects, the native calls, or the note
 */
public record TraceStep(
    long number, long atNs, Kind kind, String subject, String from, String text) {
  /** The action of a step. */
  public enum Kind {
    /** An actor handles a message. */
    MESSAGE,
    /** An actor handles a message of Pekko, such as its start or the end of a child. */
    SIGNAL,
    /** A dispatcher runs a task that is no mailbox. */
    TASK,
    /** The bridge and the device work. */
    DEVICE,
    /** An actor or a loop calls DOCA. */
    CALLS,
    /** The run notes a result. */
    NOTE
  }

  @Override
  public String toString() {
    String what =
        switch (kind) {
          case MESSAGE, SIGNAL ->
              subject + " <- " + text + (from.isEmpty() ? "" : "  from " + from);
          case TASK -> subject + " runs " + text;
          case DEVICE -> subject + ": " + text;
          case CALLS -> subject + " calls " + text;
          case NOTE -> "note: " + text;
        };
    return "%6d %4d.%09d %s".formatted(number, atNs / 1_000_000_000, atNs % 1_000_000_000, what);
  }
}
