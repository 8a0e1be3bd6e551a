package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.BYTES;
import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.get;
import static io.dpuactors.streams.StreamRig.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Cauchy;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.StreamRig.Result;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the flows of each kind of task with elements in the memory of the device. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class KindsInPlaceTest {
  private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");
  private static final int BLOCK = BYTES / 4;
  private static final String BLOCKING = "pekko.actor.default-blocking-io-dispatcher";

  /** The dispatcher of the engine, and its thread. */
  private static final String ENGINE = "dpu-engine-one";

  private static final Attributes ON_ENGINE = ActorAttributes.dispatcher(ENGINE);

  @Test
  void theJdkDecryptsAnEncryptionInPlace() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(
              fullElements(),
              AesGcm.encrypt(rig.system.engine, rig.aes(), KEY, options(), new Bytes()));
      assertThat(result.elements().stream().map(one -> KindsTest.decrypted(KEY, one)).toList())
          .isEqualTo(fullElements());
      assertThat(result.elements().stream().map(one -> one.take(12)).distinct()).hasSize(10);
      assertThat(result.statistics())
          .isEqualTo(new StreamStatistics(10, 10 * BYTES, 10, 10 * (BYTES + 28), 0));
    }
  }

  @Test
  void decryptionInPlaceReturnsThePlainBytes() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.aes();
      List<ByteString> encrypted =
          rig.run(fullElements(), AesGcm.encrypt(rig.system.engine, aes, KEY, options()))
              .elements();
      Result result =
          rig.run(encrypted, AesGcm.decrypt(rig.system.engine, aes, KEY, options(), new Bytes()));
      assertThat(result.elements()).isEqualTo(fullElements());
      assertThat(result.statistics())
          .isEqualTo(new StreamStatistics(10, 10 * (BYTES + 28), 10, 10 * BYTES, 0));
    }
  }

  @Test
  void digestsInPlaceAreThoseOfTheJdk() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(
              fullElements(),
              Sha.flow(rig.system.engine, rig.sha(), Algorithm.SHA512, options(), new Bytes()));
      assertThat(result.elements())
          .isEqualTo(
              fullElements().stream().map(one -> KindsTest.digest(Algorithm.SHA512, one)).toList());
    }
  }

  @Test
  void missingBlocksAreRecoveredInPlace() throws Exception {
    Cauchy matrix = new Cauchy(4, 2);
    List<ByteString> data = fullElements();
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ErasureCodingProtocol.Command> coding = rig.erasureCoding();
      List<ByteString> redundancy =
          rig.run(
                  data,
                  ErasureCoding.create(rig.system.engine, coding, matrix, options(), new Bytes()))
              .elements();
      List<ByteString> available = new ArrayList<>();
      for (int i = 0; i < data.size(); i++) { // the blocks 0 and 1 are missing
        available.add(data.get(i).drop(2 * BLOCK).concat(redundancy.get(i)));
      }
      Result result =
          rig.run(
              available,
              ErasureCoding.recover(
                  rig.system.engine, coding, matrix, List.of(0, 1), options(), new Bytes()));
      assertThat(result.elements())
          .isEqualTo(data.stream().map(one -> one.take(2 * BLOCK)).toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"'', default-dispatcher", BLOCKING + ", default-blocking-io-dispatcher"})
  void theAccessRunsOnTheDispatcherOfTheFlow(String set, String expected) throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Bytes access = new Bytes();
      Attributes attributes = set.isEmpty() ? Attributes.none() : ActorAttributes.dispatcher(set);
      rig.run(
          fullElements(),
          Dma.flow(rig.system.engine, rig.dma(), options(), access).addAttributes(attributes));
      assertThat(access.threads).hasSize(20).allMatch(name -> name.contains("." + expected + "-"));
    }
  }

  /** No element changes the thread. */
  @Test
  void aFlowRunsOnTheThreadOfItsEngine() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Bytes access = new Bytes();
      Result result =
          rig.run(
              fullElements(),
              Dma.flow(rig.system.engine, rig.dma(), options(), access).addAttributes(ON_ENGINE));
      assertThat(result.elements()).isEqualTo(fullElements());
      assertThat(access.threads).hasSize(20).allMatch(ENGINE::equals);
    }
  }

  /** The thread that waits for the buffers also returns them. */
  @Test
  void anEngineStopsDuringAFlowOnItsThread() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      CompletableFuture<ByteString> first = new CompletableFuture<>();
      CompletionStage<StreamStatistics> end =
          Source.repeat(fullElements().get(0))
              .viaMat(Dma.flow(system.engine, dma, options(), new Bytes()), Keep.right())
              .to(Sink.foreach(first::complete))
              .addAttributes(ON_ENGINE)
              .run(system.kit.system());
      get(first);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      docaFailure(end);
    }
  }

  /** Returns 10 elements of the largest size. */
  private static List<ByteString> fullElements() {
    Random random = new Random(1);
    List<ByteString> elements = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      elements.add(ByteString.fromArray(bytes));
    }
    return elements;
  }

  /** Copies an element of the largest size, and asserts that the view has no more room. */
  private static final class Bytes implements BufferAccess<ByteString, ByteString> {
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    @Override
    public void write(ByteString element, ByteBuffer src) {
      threads.add(Thread.currentThread().getName());
      assertThat(src.position()).isZero();
      assertThat(src.remaining()).isEqualTo(element.size());
      element.copyToBuffer(src);
    }

    @Override
    public ByteString read(ByteString element, ByteBuffer dst) {
      threads.add(Thread.currentThread().getName());
      assertThat(dst.position()).isZero();
      return ByteString.fromByteBuffer(dst);
    }
  }
}
