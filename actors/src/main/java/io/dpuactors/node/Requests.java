package io.dpuactors.node;

import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tells the requests of one kind of context from those of another; what happens to them is the
 * same, see {@link TaskLane}. Engine's thread.
 *
 * @param <R> the requests
 */
interface Requests<R> {
  /** The context runs, with these kinds of tasks. */
  default void limit(Map<TaskKind, TaskLimits> configured) {}

  /** As {@link ContextLoad#endCode}, for a context that takes these requests. */
  default DocaCode endCode(boolean hasRun) {
    return DocaCode.UNEXPECTED;
  }

  /** What the device shall do. */
  TaskKind kind(R request);

  /**
   * Requests of one order do not overtake each other; those of another may, while DOCA refuses
   * these for the moment.
   */
  default int order(R request) {
    return 0;
  }

  /** For errors: what the request is. */
  String about(R request);

  /** Why no context could do this, or null. */
  @Nullable DocaError unusable(R request);

  /** Why the context that now runs cannot do it, or null. After {@link #take}. */
  @Nullable DocaError refusal(R request);

  /**
   * The request is accepted: what is lent with it stays where it is until {@link #letGo}, whoever
   * ends. Once for each.
   *
   * @return why that cannot be, or null
   */
  default @Nullable DocaError take(R request) {
    return null;
  }

  /**
   * What {@link #take} took is its sender's again; before an answer that says so. After {@link
   * #abandon}: the device has let go of it.
   */
  default void letGo(R request) {}

  /** Its sender has lost what was lent: it goes back by itself, with {@link #letGo}. */
  default void abandon(R request) {}

  /**
   * Puts it into the submission ring.
   *
   * @param slot gives it its user data, and its cell of the outbox
   * @param context {@code DocaContext.handle()}
   * @return false: the ring is full
   */
  boolean offer(R request, EngineCore core, TaskSlot slot, int context);

  /** Whether a submission that DOCA refused with this status is to be tried again. */
  default boolean isTransient(int status) {
    return status == DocaCode.AGAIN.value();
  }

  /** What a batch says of its tasks that came back as one code is to be said as another. */
  default void correct(R request, DocaCode reported, DocaCode reason) {}

  /** The one answer: done. Lets go of what was lent. */
  void completed(R request, CompletionRing record);

  /** The one answer: not done, or too late. */
  void failed(R request, DocaError error, Ownership ownership);

  /** The one answer: no room. */
  void busy(R request, int waiting);
}
