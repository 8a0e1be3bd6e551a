package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests the executor of futures. JDK 25 crashes if it has another type than the replaced one. */
class FutureExecutorTest {
  @Test
  void futuresHaveTimeLimitsAndRunOutsideOfAWorld() {
    FutureExecutor.install();
    assertThat(new CompletableFuture<>().orTimeout(1, TimeUnit.MILLISECONDS))
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(TimeoutException.class);
    assertThat(CompletableFuture.supplyAsync(() -> "done"))
        .succeedsWithin(Duration.ofSeconds(30))
        .isEqualTo("done");
  }
}
