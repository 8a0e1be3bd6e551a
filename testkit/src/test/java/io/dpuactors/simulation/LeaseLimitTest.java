package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;

/** Tests that callers wait for leases in virtual time. */
class LeaseLimitTest {
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Duration STEP = Duration.ofMinutes(1);

  @Test
  void aCallerOfAnEnginesPoolTimesOutInVirtualTime() {
    Simulation.of(1)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              PoolReply reply = system.ask(engine, me -> new OpenPool(PoolOptions.of(1, 64), me));
              expectTimeOut(system, ((PoolOpened) reply).pool());
            });
  }

  @Test
  void aCallerOfAPoolInTheHeapTimesOutInVirtualTime() {
    Simulation.of(1).run(system -> expectTimeOut(system, HeapBuffers.pool(1, 64)));
  }

  private static void expectTimeOut(SimulatedSystem system, BufferPool pool) {
    Buffer leased = Objects.requireNonNull(pool.lease());
    CompletableFuture<Buffer> late = pool.leaseWithin(LIMIT).toCompletableFuture();
    system.runFor(LIMIT.minus(STEP));
    assertThat(late).isNotDone();
    system.runFor(STEP.multipliedBy(2));
    assertThat(code(late)).isEqualTo(DocaCode.TIME_OUT);
    leased.release();
    assertThat(pool.available()).isEqualTo(1);
  }

  private static DocaCode code(CompletableFuture<Buffer> lease) {
    assertThat(lease).isCompletedExceptionally();
    try {
      lease.join();
      throw new AssertionError("leased");
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(DocaException.class);
      return ((DocaException) Objects.requireNonNull(e.getCause())).error().code();
    }
  }

  @Test
  void aReleaseBeforeTheLimitServesTheCallerAndLeavesNoTimer() {
    Simulation.of(1)
        .run(
            system -> {
              BufferPool pool = HeapBuffers.pool(1, 64);
              Buffer leased = Objects.requireNonNull(pool.lease());
              CompletableFuture<Buffer> next = pool.leaseWithin(LIMIT).toCompletableFuture();
              leased.release();
              assertThat(next).isCompletedWithValue(leased);
              system.settle();
              assertThat(system.now()).isLessThan(LIMIT);
              leased.release();
            });
  }

  /** A release and the limit of the same time: the seed decides which of them comes first. */
  @Test
  void someSeedsReleaseBeforeAndOthersAfterTheLimit() {
    List<Boolean> served = new ArrayList<>();
    Simulation.ofSeeds(1, 20)
        .run(
            system -> {
              BufferPool pool = HeapBuffers.pool(1, 64);
              Buffer leased = Objects.requireNonNull(pool.lease());
              CompletableFuture<Buffer> next =
                  pool.leaseWithin(Duration.ZERO).toCompletableFuture();
              system.actorSystem().executionContext().execute(leased::release);
              system.settle();
              assertThat(next).isDone();
              served.add(!next.isCompletedExceptionally());
              if (!next.isCompletedExceptionally()) {
                next.join().release();
              }
              assertThat(pool.available()).isEqualTo(1);
            });
    assertThat(served).contains(true, false);
  }
}
