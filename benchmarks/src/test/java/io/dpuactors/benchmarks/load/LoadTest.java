package io.dpuactors.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests closed and open loops on a device without faults. */
class LoadTest {
  private static Config config() {
    return ConfigFactory.parseString("dpu.library = softdpu, pekko.loglevel = WARNING")
        .withFallback(ConfigFactory.load());
  }

  @Test
  void aClosedLoopDoesEveryTaskAndCanBeRunAgain() {
    try (LoadSystem system = LoadSystem.start(config(), 2)) {
      LoopRun copies = system.loop(0, new Load(Load.Kind.DMA, 4, 512));
      LoopRun blocks = system.loop(1, new Load(Load.Kind.COMPRESS, 3, 4096));
      assertThat(copies.run(100).orThrow().count()).isEqualTo(100);
      assertThat(copies.run(2).orThrow().count()).isEqualTo(2);
      assertThat(blocks.run(50).orThrow().count()).isEqualTo(50);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyKindCompletesItsTasks(Load.Kind kind) {
    try (LoadSystem system = LoadSystem.start(config(), 1)) {
      LoopRun tasks = system.loop(0, new Load(kind, 3, kind.smallest()));
      assertThat(tasks.run(20).orThrow().count()).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPRESS", "DMA"})
  void aStreamCompletesTheSameTasks(Load.Kind kind) {
    for (StreamRun.Form form : StreamRun.Form.values()) {
      try (LoadSystem system = LoadSystem.start(config(), 1)) {
        StreamRun stream = system.stream(new Load(kind, 3, kind.smallest()), form);
        for (int run = 0; run < 2; run++) {
          Outcome.Done done = stream.run(20).orThrow();
          assertThat(done.count()).isEqualTo(20);
          assertThat(done.isAllocationKnown()).isFalse();
        }
      }
    }
  }

  @Test
  void aKindWithoutAFlowIsRefused() {
    try (LoadSystem system = LoadSystem.start(config(), 1)) {
      assertThatThrownBy(() -> system.stream(new Load(Load.Kind.SHA, 3, 64), StreamRun.Form.HEAP))
          .hasMessageContaining("no stream of sha");
    }
  }

  @Test
  void kindsAreFoundByTheirNames() {
    assertThat(Load.Kind.find("aes-gcm")).contains(Load.Kind.AES_GCM);
    assertThat(Load.Kind.find("AES_GCM")).isEmpty();
  }

  @Test
  void anOpenLoopAnswersForEveryTaskThatFellDue() {
    try (LoadSystem system = LoadSystem.start(config(), 1)) {
      LoopRun paced = system.loop(0, new Load(Load.Kind.DMA, 2, 64));
      AtomicLong latencies = new AtomicLong();
      assertThat(paced.runPaced(200, 100_000, ns -> latencies.incrementAndGet()))
          .isInstanceOf(Outcome.Done.class);
      assertThat(latencies).hasValue(200);
    }
  }

  @Test
  void impossibleLoadsAreRefused() {
    assertThatThrownBy(() -> new Load(Load.Kind.DMA, 0, 64))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Load(Load.Kind.DMA, 4, 64, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batch");
    assertThatThrownBy(() -> new Load(Load.Kind.SHA, 4, 64, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no batches of sha");
    assertThatThrownBy(() -> new Load(Load.Kind.DMA, 4, 64, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("whole number");
  }
}
