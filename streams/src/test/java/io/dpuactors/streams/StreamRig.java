package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenAesGcm;
import io.dpuactors.protocol.EngineProtocol.OpenErasureCoding;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A system with an engine, the contexts that a test asks for, and runs of streams. */
final class StreamRig implements AutoCloseable {
  static final int BYTES = 4096;

  final RunningSystem system;
  private int receives;
  private int pools;

  private StreamRig(RunningSystem system) {
    this.system = system;
  }

  static StreamRig create() {
    return new StreamRig(RunningSystem.create());
  }

  /** Elements and statistics of a stream that has completed. */
  record Result(List<ByteString> elements, StreamStatistics statistics) {}

  static StreamOptions options() {
    return StreamOptions.of(BYTES);
  }

  ActorRef<CompressProtocol.Command> compress() {
    return compress(TaskOptions.defaults());
  }

  ActorRef<CompressProtocol.Command> compress(TaskOptions options) {
    return system.opened("compress", options);
  }

  ActorRef<DmaProtocol.Command> dma() {
    return system.openedDma("dma", TaskOptions.defaults());
  }

  ActorRef<ShaProtocol.Command> sha() {
    return system.openedSha("sha", TaskOptions.defaults());
  }

  ActorRef<AesGcmProtocol.Command> aes() {
    TestProbe<AesGcmProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenAesGcm("aes", TaskOptions.defaults(), probe.getRef()));
    return ((AesGcmProtocol.Opened) probe.receiveMessage()).context();
  }

  ActorRef<ErasureCodingProtocol.Command> erasureCoding() {
    TestProbe<ErasureCodingProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenErasureCoding("ec", TaskOptions.defaults(), probe.getRef()));
    return ((ErasureCodingProtocol.Opened) probe.receiveMessage()).context();
  }

  /** Runs elements through a flow to the end. */
  Result run(
      List<ByteString> elements,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow)
      throws Exception {
    Pair<CompletionStage<StreamStatistics>, CompletionStage<List<ByteString>>> run =
        Source.from(elements)
            .viaMat(flow, Keep.right())
            .toMat(Sink.seq(), Keep.both())
            .run(system.kit.system());
    return new Result(get(run.second()), get(run.first()));
  }

  static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Returns the failure of a stage. */
  static Throwable failure(CompletionStage<?> stage) throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    stage.whenComplete(
        (value, cause) ->
            failure.complete(cause == null ? new AssertionError("no failure: " + value) : cause));
    return get(failure);
  }

  /** Returns the failure of a stage, which must have an error of DOCA. */
  static DocaException docaFailure(CompletionStage<?> stage) throws Exception {
    Throwable failure = failure(stage);
    assertThat(failure).isInstanceOf(DocaException.class);
    return (DocaException) failure;
  }

  /** Returns elements of different sizes, of text that compresses and of random bytes in turns. */
  static List<ByteString> elements(int count) {
    Random random = new Random(count);
    List<ByteString> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[1 + random.nextInt(BYTES)];
      if (i % 2 == 0) {
        random.nextBytes(bytes);
      }
      bytes[0] = (byte) i;
      elements.add(ByteString.fromArray(bytes));
    }
    return elements;
  }

  /** Opens two RDMA contexts, which have memory for their receives. */
  List<ActorRef<RdmaProtocol.Command>> rdma() {
    List<ActorRef<RdmaProtocol.Command>> contexts =
        List.of(
            Transport.context(system, "here", "03:00.0"),
            Transport.context(system, "there", "03:00.0"));
    receives = system.open(Census.Resource.LEASE);
    pools = system.open(Census.Resource.BUFFER_POOL);
    return contexts;
  }

  /** Waits until no stream has memory of the engine any more: servers end after their clients. */
  void awaitReleased() {
    system
        .kit
        .createTestProbe()
        .awaitAssert(
            Duration.ofSeconds(20),
            () -> {
              assertReleased();
              return null;
            });
  }

  /** Asserts that no stream has memory of the engine any more. */
  void assertReleased() {
    assertThat(system.open(Census.Resource.LEASE)).isEqualTo(receives);
    assertThat(system.open(Census.Resource.BUFFER_POOL)).isEqualTo(pools);
  }

  /** Stops the engine and checks that it leaves nothing. */
  @Override
  public void close() {
    try (system) {
      if (pools == 0) {
        assertReleased();
      } else {
        awaitReleased();
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
