package io.dpuactors.protocol;

/**
 * The answer to {@link Stop}: the actor ends.
 *
 * @param clean whether nothing of the actor is open. A context whose actor was killed during the
 *     stop ends on the engine after this answer, which then has {@code false}
 * @param census the open objects as text; {@code empty} if clean
 */
public record Stopped(boolean clean, String census) implements LocalMessage {
  /** The answer if nothing is open. */
  public static final Stopped CLEAN = new Stopped(true, "empty");
}
