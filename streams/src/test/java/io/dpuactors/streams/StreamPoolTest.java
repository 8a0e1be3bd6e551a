package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testkit.HeapBuffers;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the memory of a stream whose engine has ended. Such an engine has closed its pools. */
@ExtendWith(CleanLog.class)
class StreamPoolTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final BufferPool pool = HeapBuffers.pool(1, 64);

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void aPoolThatLendsNothingFailsTheStreamWithShutdown() {
    pool.stopLending();
    assertShutdown();
    pool.close();
    assertShutdown();
  }

  private void assertShutdown() {
    assertThat(StreamPool.free(pool)).isNull();
    assertThatThrownBy(() -> StreamPool.lease(pool))
        .isInstanceOfSatisfying(
            DocaException.class,
            failure -> assertThat(failure.error().code()).isEqualTo(DocaCode.SHUTDOWN));
  }

  @Test
  void theCloseOfAPoolThatItsEngineHasClosedCompletes() throws Exception {
    TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
    TestProbe<Object> end = kit.createTestProbe();
    pool.close();
    engine.stop();
    end.expectTerminated(engine.getRef());
    assertThat(get(new StreamPool(kit.system(), engine.getRef()).close(pool)))
        .isEqualTo(Done.getInstance());
  }
}
