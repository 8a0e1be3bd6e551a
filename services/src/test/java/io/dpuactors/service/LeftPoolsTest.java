package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the warnings of pools that stay open, on a manual clock. */
@ExtendWith(CleanLog.class)
class LeftPoolsTest {
  private static final String WARNING = "pool not closed, the engine closes it when it stops: ";

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<MemoryProtocol.Command> memory = kit.createTestProbe();
  private final BufferPool pool = HeapBuffers.pool(1, 1);
  private final CountDownLatch last = new CountDownLatch(1);
  private final AtomicInteger open = new AtomicInteger(-1);

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  @ExpectedLog(WARNING + "close pool: DOCA_ERROR_IN_USE")
  void aPoolThatStaysInUseIsReported() throws InterruptedException {
    close(memory.getRef());
    for (int attempt = 1; attempt < LeftPools.ATTEMPTS; attempt++) {
      refuse();
      time.timePasses(Duration.ofMillis(100));
    }
    refuse();
    assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(open).hasValue(1);
  }

  @Test
  @ExpectedLog(WARNING + "java.util.concurrent.TimeoutException")
  void aPoolWithoutAReplyIsReported() throws InterruptedException {
    close(memory.getRef());
    memory.expectMessageClass(ClosePool.class);
    time.timePasses(Duration.ofSeconds(10));
    assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(open).hasValue(1);
  }

  /** An engine closes its pools when it stops. */
  @Test
  void aPoolOfAnEndedEngineIsNotReported() throws InterruptedException {
    memory.stop();
    kit.createTestProbe().expectTerminated(memory.getRef());
    close(memory.getRef());
    assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(open).hasValue(0);
  }

  private void close(ActorRef<MemoryProtocol.Command> engine) {
    LeftPools.close(kit.system(), engine, List.of(pool), this::onLast);
  }

  private void onLast(int left) {
    open.set(left);
    last.countDown();
  }

  private void refuse() {
    DocaError leased = DocaError.of("close pool", DocaCode.IN_USE.value(), "leased");
    memory.expectMessageClass(ClosePool.class).replyTo().tell(new PoolClosed(Optional.of(leased)));
  }
}
