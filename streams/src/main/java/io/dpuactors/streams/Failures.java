package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Supervision;
import org.jspecify.annotations.Nullable;

/** Failures as a stream reports them. */
final class Failures {
  /** For stages whose result would be wrong without one of their elements. */
  static final Attributes DROP_NOTHING =
      ActorAttributes.withSupervisionStrategy(Supervision.getStoppingDecider());

  private Failures() {}

  /**
   * Returns a stage with the same value or the same failure, without {@link CompletionException}.
   * An ask without an answer fails with {@code DOCA_ERROR_TIME_OUT}.
   */
  static <T> CompletionStage<T> plain(CompletionStage<T> stage) {
    CompletableFuture<T> result = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            result.complete(value);
          } else {
            result.completeExceptionally(plain(failure));
          }
        });
    return result;
  }

  private static Throwable plain(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof TimeoutException
        ? exception("ask", DocaCode.TIME_OUT, String.valueOf(cause.getMessage()))
        : cause;
  }

  static DocaException exception(String operation, DocaCode code, String why) {
    return new DocaException(DocaError.of(operation, code.value(), why));
  }

  /** Returns the first failure, with the second as suppressed exception; null if both are null. */
  static @Nullable Throwable first(@Nullable Throwable failure, @Nullable Throwable later) {
    if (failure == null) {
      return later;
    }
    if (later != null && later != failure) {
      failure.addSuppressed(later);
    }
    return failure;
  }
}
