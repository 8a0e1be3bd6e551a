package io.dpuactors.streams.tck;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenAesGcm;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.BlockConnections;
import io.dpuactors.streams.Comch;
import io.dpuactors.streams.Rdma;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.tck.TestEnvironment;

/** The engine and contexts of one run of the kit. TestNG creates its classes itself. */
final class TckSystem implements AutoCloseable {
  /** Time for a signal that must arrive. */
  static final Duration SIGNAL = Duration.ofSeconds(5);

  /** Time for a signal that must not arrive. */
  private static final int NO_SIGNAL_MS = 50;

  /** A service that returns all elements. */
  static final String ECHO = "echo";

  /** The port of the same service over RDMA. */
  static final int PORT = 4791;

  /** The messages of a connection over RDMA. */
  static final PoolOptions MESSAGES = PoolOptions.of(4, 2048);

  private static @Nullable TckSystem current;

  private final RunningSystem system;
  final ActorRef<CompressProtocol.Command> compress;
  final ActorRef<DmaProtocol.Command> dma;
  final ActorRef<ShaProtocol.Command> sha;
  final ActorRef<AesGcmProtocol.Command> aes;
  final ActorRef<RdmaProtocol.Command> rdma;
  final BlockConnections blocks;

  private TckSystem() {
    system = RunningSystem.create();
    compress = system.opened("compress", TaskOptions.defaults());
    dma = system.openedDma("dma", TaskOptions.defaults());
    sha = system.openedSha("sha", TaskOptions.defaults());
    aes = openedAes();
    rdma = openedRdma("rdma");
    blocks = new BlockConnections(system, PoolOptions.of(4, 64));
    Rdma.bind(system.engine, openedRdma("rdma-server"), PORT, MESSAGES)
        .to(Sink.foreach(incoming -> incoming.handleWith(Flow.create(), actors())))
        .run(actors())
        .toCompletableFuture()
        .join();
    Comch.bind(system.engine, ServerOptions.of(ECHO))
        .to(Sink.foreach(incoming -> incoming.handleWith(Flow.create(), actors())))
        .run(actors())
        .toCompletableFuture()
        .join();
  }

  private ActorRef<AesGcmProtocol.Command> openedAes() {
    TestProbe<AesGcmProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenAesGcm("aes", TaskOptions.defaults(), probe.getRef()));
    return probe.expectMessageClass(AesGcmProtocol.Opened.class).context();
  }

  private ActorRef<RdmaProtocol.Command> openedRdma(String name) {
    TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    RdmaOptions options = RdmaOptions.defaults().onDevice("03:00.0");
    system.engine.tell(new OpenRdma(name, options, probe.getRef()));
    return probe.expectMessageClass(RdmaProtocol.Opened.class).context();
  }

  static TckSystem create() {
    TckSystem created = new TckSystem();
    current = created;
    return created;
  }

  static TckSystem current() {
    return requireNonNull(current, "the kit runs in TckTest only");
  }

  /**
   * Returns the limits of the kit. The kit waits for the pause between two checks before it checks
   * for an expected failure, and checks once. This pause therefore ends with the failure.
   */
  static TestEnvironment environment() {
    return new TestEnvironment(SIGNAL.toMillis(), NO_SIGNAL_MS) {
      @Override
      public long defaultPollTimeoutMillis() {
        long begin = System.nanoTime();
        Throwable failure = dropAsyncError();
        while (failure == null && System.nanoTime() - begin < SIGNAL.toNanos()) {
          LockSupport.parkNanos(1_000_000);
          failure = dropAsyncError();
        }
        if (failure != null) {
          flop(failure); // notes it again
        }
        return 0;
      }
    };
  }

  /** Returns the element of a number. */
  static ByteString element(int number) {
    return ByteString.fromArray(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  ActorRef<EngineProtocol.Command> engine() {
    return system.engine;
  }

  ActorSystem<?> actors() {
    return system.kit.system();
  }

  @Override
  public void close() {
    try (system) {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
