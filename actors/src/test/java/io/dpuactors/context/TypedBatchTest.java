package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the results of batches of SHA, AES-GCM and erasure coding; arguments may change per run.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TypedBatchTest {
  private static final int TASKS = 3;

  private final RunningSystem system = RunningSystem.create();
  private final TestProbe<BatchReply> replies = system.kit.createTestProbe();

  @AfterEach
  void close() {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }

  @Test
  void eachRunOfHashesMayHaveAnotherAlgorithm() throws GeneralSecurityException {
    ActorRef<ShaProtocol.Command> sha = system.openedSha("sha", TaskOptions.defaults());
    byte[][] messages = random(1000);
    TaskBatch batch = batch(messages, 64);
    for (Algorithm algorithm : List.of(Algorithm.SHA1, Algorithm.SHA512, Algorithm.SHA256)) {
      sha.tell(new ShaProtocol.Batch(algorithm, batch, 1, replies.getRef()));
      expectAllDone(batch);
      for (int i = 0; i < TASKS; i++) {
        byte[] digest = MessageDigest.getInstance(algorithm.standardName()).digest(messages[i]);
        assertThat(output(batch, i)).isEqualTo(digest);
      }
    }
    release(batch);
  }

  /** The check of one algorithm is not that of another. */
  @Test
  void aDestinationWithoutRoomForTheDigestIsRefused() {
    ActorRef<ShaProtocol.Command> sha = system.openedSha("sha", TaskOptions.defaults());
    TaskBatch batch = batch(random(100), 20);
    sha.tell(new ShaProtocol.Batch(Algorithm.SHA1, batch, 1, replies.getRef()));
    expectAllDone(batch);
    sha.tell(new ShaProtocol.Batch(Algorithm.SHA256, batch, 2, replies.getRef()));
    assertThat(refusal()).contains("task 0: 32 bytes do not fit into 20");
    release(batch);
  }

  @Test
  void eachEncryptionOfEachRunHasItsInitializationVector() throws GeneralSecurityException {
    TestProbe<AesGcmProtocol.OpenReply> opened = system.kit.createTestProbe();
    system.engine.tell(
        new EngineProtocol.OpenAesGcm("aes", TaskOptions.defaults(), opened.getRef()));
    ActorRef<AesGcmProtocol.Command> aes =
        ((AesGcmProtocol.Opened) opened.receiveMessage()).context();
    byte[] bytes = random(16)[0];
    AesGcmProtocol.Key key = key(aes, bytes);
    byte[][] plain = random(1000);
    TaskBatch sealing = batch(plain, 1016);
    for (int run = 0; run < 2; run++) {
      List<Parameters> parameters = parameters(run);
      aes.tell(
          new AesGcmProtocol.Batch(
              TaskKind.AES_GCM_ENCRYPT, key, parameters, sealing, 1, replies.getRef()));
      expectAllDone(sealing);
      for (int i = 0; i < TASKS; i++) {
        assertThat(output(sealing, i)).isEqualTo(sealed(bytes, parameters.get(i), plain[i]));
      }
    }
    openAll(aes, key, plain, outputs(sealing));
    release(sealing);
  }

  /** The last cipher text has a changed byte: its task fails, and no other. */
  private void openAll(
      ActorRef<AesGcmProtocol.Command> aes,
      AesGcmProtocol.Key key,
      byte[][] plain,
      byte[][] sealed) {
    sealed[TASKS - 1][500] ^= 1;
    TaskBatch opening = batch(sealed, 1000);
    aes.tell(
        new AesGcmProtocol.Batch(
            TaskKind.AES_GCM_DECRYPT, key, parameters(1), opening, 1, replies.getRef()));
    assertThat(replies.receiveMessage()).isEqualTo(new Ended(1, opening));
    assertThat(opening.results().failures()).isEqualTo(1);
    assertThat(Objects.requireNonNull(opening.results().error(TASKS - 1)).code())
        .isEqualTo(DocaCode.IO_FAILED);
    for (int i = 0; i < TASKS - 1; i++) {
      assertThat(output(opening, i)).isEqualTo(plain[i]);
    }
    aes.tell(
        new AesGcmProtocol.Batch(
            TaskKind.AES_GCM_ENCRYPT, key, parameters(2), opening, 1, replies.getRef()));
    assertThat(refusal()).contains("task 0: 1032 bytes do not fit into 1000");
    assertThatThrownBy(
            () ->
                new AesGcmProtocol.Batch(
                    TaskKind.AES_GCM_DECRYPT,
                    key,
                    parameters(1).subList(1, TASKS),
                    opening,
                    1,
                    replies.getRef()))
        .hasMessageContaining("2 parameters for 3 tasks");
    release(opening);
  }

  @Test
  void aBatchRecoversTheBlocksThatAnotherBatchProtects() {
    TestProbe<ErasureCodingProtocol.OpenReply> opened = system.kit.createTestProbe();
    system.engine.tell(
        new EngineProtocol.OpenErasureCoding("ec", TaskOptions.defaults(), opened.getRef()));
    ActorRef<ErasureCodingProtocol.Command> ec =
        ((ErasureCodingProtocol.Opened) opened.receiveMessage()).context();
    Matrix coding = matrix(ec, new Definition.Cauchy(2, 1));
    byte[][] data = random(256);
    TaskBatch encoding = batch(data, 128);
    ec.tell(new ErasureCodingProtocol.Batch(coding, encoding, 1, replies.getRef()));
    expectAllDone(encoding);
    byte[][] redundancy = outputs(encoding);
    release(encoding);
    Matrix recovery = matrix(ec, new Definition.Recovery(coding, List.of(0)));
    byte[][] available =
        IntStream.range(0, TASKS)
            .mapToObj(i -> join(Arrays.copyOfRange(data[i], 128, 256), redundancy[i]))
            .toArray(byte[][]::new);
    TaskBatch recovering = batch(available, 128);
    ec.tell(new ErasureCodingProtocol.Batch(recovery, recovering, 1, replies.getRef()));
    expectAllDone(recovering);
    for (int i = 0; i < TASKS; i++) {
      assertThat(output(recovering, i)).isEqualTo(Arrays.copyOf(data[i], 128));
    }
    recovering.sourceLength(1, 100);
    ec.tell(new ErasureCodingProtocol.Batch(recovery, recovering, 2, replies.getRef()));
    assertThat(refusal()).contains("task 1: 100 bytes are not 2 blocks of a multiple of 64 bytes");
    release(recovering);
  }

  private void expectAllDone(TaskBatch batch) {
    assertThat(replies.receiveMessage()).isEqualTo(new Ended(1, batch));
    assertThat(batch.results()).hasToString(TASKS + " done");
  }

  private String refusal() {
    BatchFailed failed = replies.expectMessageClass(BatchFailed.class);
    assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    return failed.error().about();
  }

  private AesGcmProtocol.Key key(ActorRef<AesGcmProtocol.Command> aes, byte[] bytes) {
    TestProbe<KeyReply> created = system.kit.createTestProbe();
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    aes.tell(new CreateKey(direct, created.getRef()));
    return ((KeyCreated) created.receiveMessage()).key();
  }

  private Matrix matrix(ActorRef<ErasureCodingProtocol.Command> ec, Definition definition) {
    TestProbe<MatrixReply> created = system.kit.createTestProbe();
    ec.tell(new CreateMatrix(definition, created.getRef()));
    return ((MatrixCreated) created.receiveMessage()).matrix();
  }

  private static List<Parameters> parameters(int run) {
    return IntStream.range(0, TASKS)
        .mapToObj(i -> new Parameters(new byte[] {(byte) run, (byte) i, 1, 2}, 16, 10 * i))
        .toList();
  }

  private static byte[] sealed(byte[] key, Parameters parameters, byte[] plain)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(key, "AES"),
        new GCMParameterSpec(Byte.SIZE * parameters.tagBytes(), parameters.iv()));
    int aad = parameters.aadBytes();
    cipher.updateAAD(plain, 0, aad);
    return join(Arrays.copyOf(plain, aad), cipher.doFinal(plain, aad, plain.length - aad));
  }

  private TaskBatch batch(byte[][] contents, int room) {
    BufferPool sources = system.pool(TASKS, contents[0].length);
    BufferPool destinations = system.pool(TASKS, room);
    return TaskBatch.of(
        Stream.of(contents).map(content -> buffer(sources, content)).toList(),
        Stream.of(contents).map(content -> buffer(destinations)).toList());
  }

  private static byte[][] random(int bytes) {
    Random random = new Random(bytes);
    byte[][] contents = new byte[TASKS][bytes];
    Stream.of(contents).forEach(random::nextBytes);
    return contents;
  }

  private static byte[] output(TaskBatch batch, int task) {
    Buffer buffer = batch.destinations().get(task);
    byte[] bytes = new byte[buffer.length()];
    buffer.bytes().get(0, bytes);
    return bytes;
  }

  private static byte[][] outputs(TaskBatch batch) {
    return IntStream.range(0, TASKS).mapToObj(i -> output(batch, i)).toArray(byte[][]::new);
  }

  private static byte[] join(byte[] one, byte[] two) {
    return ByteBuffer.allocate(one.length + two.length).put(one).put(two).array();
  }

  private static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }
}
