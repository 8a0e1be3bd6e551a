package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Common part of {@link FilePipeline} and {@link FileHash}: the failure of one file. The first
 * failure counts, and the log has the later ones. The actor reports the first failure after the
 * device has returned every buffer.
 *
 * @param <M> messages of the actor
 */
abstract class FileActor<M> extends AbstractBehavior<M> {
  /** Time to wait for replies after a failure; longer than any deadline of a context. */
  private static final Duration LAST_CALL = Duration.ofMinutes(2);

  final TimerScheduler<M> timers;
  private final Path input;
  private final M lastCall;
  private @Nullable FileFailure failure;

  /**
   * Creates an actor without a failure.
   *
   * @param input the file of the messages
   * @param lastCall message that ends the wait for replies
   */
  FileActor(ActorContext<M> context, TimerScheduler<M> timers, Path input, M lastCall) {
    super(context);
    this.timers = timers;
    this.input = input;
    this.lastCall = lastCall;
  }

  /** One step of the work, which may fail. */
  interface Step {
    void run() throws FileException;
  }

  /** Continues the work of a file that has not failed. Returns whether the file is complete. */
  abstract boolean proceed() throws FileException;

  /** Returns whether a context has a request without a reply. */
  abstract boolean isAnswerDue();

  /** Ends the work at the first failure. Returns the failure to report. */
  abstract FileFailure abort(FileFailure why);

  /** Reports the failure. The actor then stops. */
  abstract void reportFailed(FileFailure why);

  /** Runs a step, then continues the work. An exception fails the file. */
  final Behavior<M> guarded(Step step) {
    try {
      step.run();
      if (failure == null && proceed()) {
        return Behaviors.stopped();
      }
    } catch (FileException e) {
      fail(e.failure());
    } catch (RuntimeException e) {
      fail(FileFailure.of(Kind.INTERNAL, input, "internal error: " + e, e));
    }
    if (failure != null && !isAnswerDue()) {
      reportFailed(failure);
      return Behaviors.stopped();
    }
    return this;
  }

  /** Returns whether the file has failed. */
  final boolean hasFailed() {
    return failure != null;
  }

  /** Fails the file, unless it has failed. The buffers that the device holds return later. */
  final void fail(FileFailure why) {
    if (failure != null) {
      logLater(why);
      return;
    }
    failure = abort(why);
    timers.cancelAll();
    timers.startSingleTimer(lastCall, LAST_CALL);
  }

  /** Most later failures are consequences of the first. A bug is not. */
  private void logLater(FileFailure why) {
    if (why.kind() == Kind.INTERNAL) {
      getContext().getLog().error("after the failure of a file: {}", why, why.cause());
    } else {
      getContext().getLog().debug("after the failure of a file: {}", why, why.cause());
    }
  }

  final void onCancel() {
    fail(FileFailure.of(Kind.CANCELLED, input, "cancelled"));
  }

  /** Fails the file. The actor has handled all replies that the context sent before its end. */
  final void onContextEnded() {
    fail(FileFailure.of(Kind.TASK, input, "the context has ended"));
  }

  /**
   * Sends the actor a message about the end of a context. The signal overtakes messages, and a
   * reply with a more specific reason may be in the mailbox.
   */
  final Behavior<M> onTerminated(M contextEnded) {
    getContext().getSelf().tell(contextEnded);
    return this;
  }
}
