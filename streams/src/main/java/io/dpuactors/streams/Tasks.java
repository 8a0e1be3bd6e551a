package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.pekko.Done;

/**
 * The tasks of one materialized flow.
 *
 * @param run makes the result of one element
 * @param busyRetries returns the number of requests that were sent again after Busy
 * @param close waits for the running tasks, and closes everything that this flow has opened. The
 *     argument is the failure of the stream
 * @param <I> elements
 * @param <O> results
 */
record Tasks<I, O>(
    Function<I, CompletionStage<O>> run,
    LongSupplier busyRetries,
    Function<Optional<Throwable>, CompletionStage<Done>> close) {
  static <I, O> Tasks<I, O> of(HeapTasks<?> tasks, Function<I, CompletionStage<O>> run) {
    return new Tasks<>(run, tasks::busyRetries, end -> tasks.close());
  }

  /**
   * Opens tasks that use an object of the context, such as a key. The object is destroyed after the
   * tasks, also if their buffers do not open.
   *
   * @param created the object
   * @param open opens the tasks
   * @param destroy destroys the object
   */
  static <T, I, O> CompletionStage<Tasks<I, O>> using(
      CompletionStage<T> created,
      Function<T, CompletionStage<Tasks<I, O>>> open,
      Function<T, CompletionStage<Done>> destroy) {
    return created.thenCompose(
        object ->
            CompletableFuture.completedStage(object)
                .thenCompose(open) // a thrown exception also destroys the object
                .thenApply(tasks -> tasks.closingThen(() -> destroy.apply(object)))
                .exceptionallyCompose(failure -> after(destroy.apply(object), failure)));
  }

  private Tasks<I, O> closingThen(Supplier<CompletionStage<Done>> last) {
    return new Tasks<>(run, busyRetries, end -> then(close.apply(end), last));
  }

  /** Runs the last step after the first one, also if that has failed. */
  static CompletionStage<Done> then(
      CompletionStage<Done> first, Supplier<CompletionStage<Done>> last) {
    return first
        .handle((done, failure) -> failure)
        .thenCompose(failure -> failure == null ? last.get() : after(last.get(), failure));
  }

  /** Returns a stage that fails with an earlier failure after another stage has completed. */
  private static <T> CompletionStage<T> after(CompletionStage<Done> last, Throwable failure) {
    return last.handle((done, later) -> Failures.first(failure, later))
        .thenCompose(CompletableFuture::failedStage);
  }
}
