package io.dpuactors.testkit;

import static io.dpuactors.testkit.ConformanceRun.TEXT;
import static io.dpuactors.testkit.ConformanceRun.random;
import static io.dpuactors.testkit.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.Decrypt;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol.Batch;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.ErasureCodingProtocol.Update;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that the software DPU and the JDK compute the same results. The same program runs on a
 * context of an engine and on a scripted one, and both runs have the same transcript.
 */
class ResultConformanceTest {
  @RegisterExtension static final EngineTestKit DPU = EngineTestKit.create();

  private static List<String> same(TaskLibrary library, Consumer<ConformanceRun> program) {
    return ConformanceRun.same(DPU, library, program);
  }

  @Test
  void digestsAreEqual() {
    same(
        TaskLibrary.SHA,
        run -> {
          for (Algorithm algorithm : Algorithm.values()) {
            run.task(TEXT, (src, dst) -> new Hash(algorithm, src, dst, run.replies()));
            SessionOpened opened =
                run.ask(
                    SessionOpened.class, new OpenSession(algorithm, run.answers.getRef().narrow()));
            Session session = opened.session();
            Buffer dst = lease(run.pool);
            byte[] part = random(3 * algorithm.blockBytes());
            run.task(
                part, dst, (src, to) -> new ShaProtocol.Update(session, src, to, 1, run.replies()));
            run.task(TEXT, dst, (src, to) -> new Finish(session, src, to, 2, run.replies()));
            run.task(TEXT, dst, (src, to) -> new Finish(session, src, to, 3, run.replies()));
            dst.release();
          }
        });
  }

  /** A device refuses the last part as the first one, and another destination. */
  @Test
  void aRefusedPartKeepsItsSession() {
    List<String> transcript =
        same(
            TaskLibrary.SHA,
            run -> {
              ActorRef<ShaProtocol.SessionReply> replyTo = run.answers.getRef().narrow();
              Session session =
                  run.ask(SessionOpened.class, new OpenSession(Algorithm.SHA256, replyTo))
                      .session();
              Buffer dst = lease(run.pool);
              Buffer other = lease(run.pool);
              byte[] part = random(Algorithm.SHA256.blockBytes());
              finish(run, session, dst);
              update(run, session, part, dst);
              update(run, session, part, other);
              finish(run, session, other);
              update(run, session, part, dst);
              finish(run, session, dst);
              finish(run, session, dst);
              dst.release();
              other.release();
            });
    assertThat(transcript.get(0)).isEqualTo("BAD_STATE");
    assertThat(transcript.subList(2, 4)).containsOnly("INVALID_VALUE");
    assertThat(transcript.get(5)).hasSize(18 + 2 * Algorithm.SHA256.digestBytes());
    assertThat(transcript.get(6)).isEqualTo("INVALID_VALUE");
  }

  private static void update(ConformanceRun run, Session session, byte[] part, Buffer dst) {
    run.task(part, dst, (src, to) -> new ShaProtocol.Update(session, src, to, 1, run.replies()));
  }

  private static void finish(ConformanceRun run, Session session, Buffer dst) {
    run.task(TEXT, dst, (src, to) -> new Finish(session, src, to, 2, run.replies()));
  }

  @Test
  void cipherTextsAreEqual() {
    List<Parameters> all =
        List.of(
            new Parameters(random(12)),
            new Parameters(random(12), 12, 13),
            new Parameters(random(5), 16, 1));
    same(
        TaskLibrary.AES_GCM,
        run -> {
          for (int bytes : new int[] {16, 32}) {
            AesGcmProtocol.Key key = key(run, bytes);
            for (Parameters each : all) {
              byte[] cipher =
                  run.task(TEXT, (src, dst) -> new Encrypt(key, each, src, dst, 0, run.replies()));
              byte[] plain =
                  run.task(
                      cipher, (src, dst) -> new Decrypt(key, each, src, dst, 0, run.replies()));
              assertThat(plain).isEqualTo(TEXT);
              cipher[cipher.length - 1]++;
              run.task(cipher, (src, dst) -> new Decrypt(key, each, src, dst, 0, run.replies()));
            }
          }
        });
  }

  private static AesGcmProtocol.Key key(ConformanceRun run, int bytes) {
    ByteBuffer secret = ByteBuffer.allocateDirect(bytes);
    secret.put(random(bytes)).flip();
    KeyCreated created =
        run.ask(
            KeyCreated.class,
            new CreateKey(secret, Optional.empty(), run.answers.getRef().narrow()));
    assertThat(secret.get(0)).isZero();
    return created.key();
  }

  @Test
  void redundancyAndRecoveredBlocksAreEqual() {
    same(
        TaskLibrary.ERASURE_CODING,
        run -> {
          Definition custom = new Definition.Custom(random(12), 4, 3);
          for (Definition each :
              List.of(
                  new Definition.Cauchy(4, 3),
                  new Definition.Vandermonde(4, 3),
                  custom,
                  new Definition.Cauchy(10, 4))) {
            code(run, matrix(run, each));
          }
          run.transcript.add(
              run.ask(MatrixRefused.class, create(run, new Definition.Cauchy(200, 57)))
                      .error()
                      .code()
                  + "");
        });
  }

  private static CreateMatrix create(ConformanceRun run, Definition definition) {
    return new CreateMatrix(definition, run.answers.getRef().narrow());
  }

  private static Matrix matrix(ConformanceRun run, Definition definition) {
    return run.ask(MatrixCreated.class, create(run, definition)).matrix();
  }

  private static void code(ConformanceRun run, Matrix coding) {
    int block = 64;
    byte[] data = random(coding.inputs() * block);
    byte[] redundancy =
        run.task(
            data,
            (src, dst) -> new ErasureCodingProtocol.Create(coding, src, dst, 0, run.replies()));
    Matrix recovery = matrix(run, new Definition.Recovery(coding, List.of(1, coding.inputs())));
    // Data block 1 and redundancy block 0 are missing; redundancy block 1 replaces the former.
    ByteBuffer available = ByteBuffer.allocate(data.length);
    available.put(data, 0, block).put(data, 2 * block, data.length - 2 * block);
    available.put(redundancy, block, block);
    byte[] recovered =
        run.task(
            available.array(), (src, dst) -> new Recover(recovery, src, dst, 0, run.replies()));
    assertThat(recovered).startsWith(Arrays.copyOfRange(data, block, 2 * block));
    Matrix change = matrix(run, new Definition.Change(coding, List.of(0, 2)));
    ByteBuffer changed = ByteBuffer.allocate((4 + coding.outputs()) * block);
    changed.put(data, 0, block).put(random(block)).put(data, 2 * block, block).put(random(block));
    changed.put(redundancy);
    run.task(changed.array(), (src, dst) -> new Update(change, src, dst, 0, run.replies()));
  }

  @Test
  void copiesAndBatchesAreEqual() {
    same(TaskLibrary.DMA, run -> run.task(TEXT, (src, dst) -> new Copy(src, dst, run.replies())));
    byte[] stream = HexFormat.of().parseHex("4b4c4a4e494d4b0700");
    same(
        TaskLibrary.COMPRESS,
        run -> {
          List<Buffer> sources = List.of(run.leased(stream), run.leased(random(50)));
          List<Buffer> destinations = List.of(lease(run.pool), lease(run.pool));
          TaskBatch batch = TaskBatch.of(sources, destinations);
          BatchReply reply =
              run.ask(
                  BatchReply.class,
                  new Batch(TaskKind.DECOMPRESS_DEFLATE, batch, 0, run.answers.getRef().narrow()));
          assertThat(reply).isInstanceOf(BatchReply.Ended.class);
          run.transcript.add(batch.results() + " " + batch.results().crc32(0));
          run.transcript.add(
              new String(ConformanceRun.bytes(destinations.get(0)), StandardCharsets.US_ASCII));
          batch.close();
          sources.forEach(Buffer::release);
          destinations.forEach(Buffer::release);
        });
  }
}
