package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the requests of one type of context. {@link TaskLane} handles all types alike.
 * Engine's thread.
 *
 * @param <R> the requests
 */
interface Requests<R> {
  /** Sets the running context, its task kinds and their limits. */
  default void limit(DocaContext running, Map<TaskKind, TaskLimits> configured) {}

  /** Returns the end code of a context with these requests; see {@link ContextLoad#endCode}. */
  default DocaCode endCode(boolean hasRun) {
    return DocaCode.UNEXPECTED;
  }

  /** Returns the task kind of the request. */
  TaskKind kind(R request);

  /**
   * Returns the ordering key. Requests with the same key do not overtake each other. Requests with
   * another key may, while DOCA temporarily refuses these.
   */
  default int order(R request) {
    return 0;
  }

  /**
   * Returns whether each kind is an ordering key. A kind without room then holds up no other kind,
   * because each kind has a separate window.
   */
  default boolean ordersByKind() {
    return false;
  }

  /**
   * Returns whether the requests of all kinds share one window, and none waits in the bridge. The
   * requests of different kinds then keep their order.
   */
  default boolean sharesWindow() {
    return false;
  }

  /**
   * Returns the number of places that the request takes in a shared window, as far as the window
   * has them.
   */
  default int places(R request) {
    return 1;
  }

  /** Returns a description of the request for errors. */
  String about(R request);

  /** Returns why no context could execute the request, or null. */
  @Nullable DocaError unusable(R request);

  /**
   * Returns why the running context cannot execute the request, or null. Called after {@link
   * #take}.
   */
  @Nullable DocaError refusal(R request);

  /**
   * Takes the buffers of an accepted request. The buffers stay valid until {@link #returnBuffers},
   * even if their owner ends. Called once per request.
   *
   * @return the reason of a refusal, or null
   */
  default @Nullable DocaError take(R request) {
    return null;
  }

  /**
   * Returns the taken buffers to the sender, before the answer that reports the return. After
   * {@link #releaseAfterTasks}, the device has released them.
   */
  default void returnBuffers(R request) {}

  /**
   * Marks the buffers as lost for the sender. {@link #returnBuffers} later returns them to their
   * pool.
   */
  default void releaseAfterTasks(R request) {}

  /**
   * Puts the request into the submission ring.
   *
   * @param slot provides the user data and holds the cell of the outbox
   * @param context {@code DocaContext.handle()}
   * @return false if the ring is full
   */
  boolean offer(R request, EngineCore core, TaskSlot slot, int context);

  /** Replaces the code {@code reported} by {@code reason} in the task results of a batch. */
  default void correct(R request, DocaCode reported, DocaCode reason) {}

  /** Returns whether the request is a batch of which a task has failed. */
  default boolean hasFailures(R request) {
    return false;
  }

  /** Answers that the request is done, and releases its buffers. One of three possible answers. */
  void completed(R request, CompletionRing record);

  /** Answers that the request failed or is late. One of three possible answers. */
  void failed(R request, DocaError error, Ownership ownership);

  /** Answers that there is no room. One of three possible answers. */
  void busy(R request, int waiting);
}
