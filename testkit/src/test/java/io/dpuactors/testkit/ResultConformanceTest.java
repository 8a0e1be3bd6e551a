package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
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
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.CompressProtocol.Lz4Block;
import io.dpuactors.protocol.CompressProtocol.Lz4Stream;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.ErasureCodingProtocol.Update;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testkit.device.XxHash32;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that the software DPU and the JDK compute the same results. The same program runs on a
 * context of an engine and on a scripted one, and both runs have the same transcript.
 */
class ResultConformanceTest {
  private static final int ROOM = 8192;

  @RegisterExtension static final EngineTestKit DPU = EngineTestKit.create();

  /** A run of a program on one context. */
  private static final class Run {
    final ActorRef<LocalMessage> context;
    final BufferPool pool;
    final TestProbe<Object> answers = DPU.actors().createTestProbe();
    final List<String> transcript = new ArrayList<>();

    Run(ActorRef<LocalMessage> context, BufferPool pool) {
      this.context = context;
      this.pool = pool;
    }

    /** Runs one task; notes its result and returns its output, which is empty after a failure. */
    byte[] task(byte[] input, BiFunction<Buffer, Buffer, LocalMessage> message) {
      Buffer dst = lease(pool);
      byte[] output = task(input, dst, message);
      dst.release();
      return output;
    }

    byte[] task(byte[] input, Buffer dst, BiFunction<Buffer, Buffer, LocalMessage> message) {
      Buffer src = leased(input);
      context.tell(message.apply(src, dst));
      Object reply = answers.receiveMessage();
      src.release();
      if (reply instanceof Failed failed) {
        transcript.add(failed.code() + "");
        return new byte[0];
      }
      Completed done = (Completed) reply;
      byte[] output = bytes(dst);
      transcript.add(
          "%08x %08x %s"
              .formatted(done.crc32(), done.checksum(), HexFormat.of().formatHex(output)));
      return output;
    }

    Buffer leased(byte[] input) {
      Buffer src = lease(pool);
      src.bytes().put(input);
      src.length(input.length);
      return src;
    }

    static byte[] bytes(Buffer buffer) {
      byte[] bytes = new byte[buffer.length()];
      buffer.bytes().get(0, bytes);
      return bytes;
    }

    ActorRef<TaskReply> replies() {
      return answers.getRef().narrow();
    }

    <R> R ask(Class<R> type, LocalMessage message) {
      context.tell(message);
      return answers.expectMessageClass(type);
    }
  }

  private static List<String> same(TaskLibrary library, Consumer<Run> program) {
    Run real = new Run(DPU.open(library, TaskOptions.defaults()), DPU.pool(8, ROOM));
    program.accept(real);
    Run scripted =
        new Run(ScriptedContext.of(library, DPU.actors()).ref(), HeapBuffers.pool(8, ROOM));
    program.accept(scripted);
    assertThat(scripted.transcript).isNotEmpty().isEqualTo(real.transcript);
    assertThat(real.pool.available()).isEqualTo(8);
    assertThat(scripted.pool.available()).isEqualTo(8);
    return real.transcript;
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }

  private static final byte[] TEXT =
      "one two three one two three one two three four five".getBytes(StandardCharsets.US_ASCII);

  /** The streams differ, so their lengths and bytes are not compared. */
  @Test
  void deflateStreamsOfBothAreInflatedByBoth() {
    List<byte[]> streams = new ArrayList<>();
    List<String> checksums = new ArrayList<>();
    for (Subject.Kind kind : Subject.Kind.values()) {
      Run run = compress(kind);
      streams.add(run.task(TEXT, (src, dst) -> new Deflate(src, dst, run.replies())));
      checksums.add(run.transcript.get(0).substring(0, 17));
    }
    assertThat(checksums.get(0)).isEqualTo(checksums.get(1));
    for (Subject.Kind kind : Subject.Kind.values()) {
      Run run = compress(kind);
      for (byte[] stream : streams) {
        assertThat(run.task(stream, (src, dst) -> new Inflate(src, dst, run.replies())))
            .isEqualTo(TEXT);
        assertThat(run.transcript.get(0)).startsWith(checksums.get(0));
      }
    }
  }

  private static int opened;

  private static Run compress(Subject.Kind kind) {
    if (kind == Subject.Kind.SCRIPTED) {
      return new Run(
          ScriptedContext.of(TaskLibrary.COMPRESS, DPU.actors()).ref(), HeapBuffers.pool(2, ROOM));
    }
    ContextReply<LocalMessage> reply =
        DPU.ask(
            me ->
                new OpenLibrary(
                    TaskLibrary.COMPRESS, "compress-" + opened++, TaskOptions.defaults(), me));
    return new Run(((ContextReply.Opened<LocalMessage>) reply).context(), DPU.pool(2, ROOM));
  }

  @Test
  void inflateRefusesWhatTheDeviceRefuses() {
    byte[] stream = HexFormat.of().parseHex("4b4c4a4e494d4b07000d0a"); // deflated text and more
    same(
        TaskLibrary.COMPRESS,
        run -> {
          run.task(stream, (src, dst) -> new Inflate(src, dst, run.replies()));
          run.task(random(100), (src, dst) -> new Inflate(src, dst, run.replies()));
          run.task(new byte[] {75}, (src, dst) -> new Inflate(src, dst, run.replies()));
        });
  }

  @Test
  void lz4BlocksAndStreamsHaveTheSameContent() {
    byte[] block = block();
    byte[] checked = new byte[block.length + 12];
    ByteBuffer frame = ByteBuffer.wrap(checked).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(block.length).put(block).putInt(XxHash32.of(block, 0, block.length)).putInt(0);
    byte[] plain =
        ByteBuffer.allocate(TEXT.length + 4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(TEXT.length | 0x80000000)
            .put(TEXT)
            .array();
    List<String> transcript =
        same(
            TaskLibrary.COMPRESS,
            run -> {
              run.task(block, (src, dst) -> new Lz4Block(src, dst, run.replies()));
              run.task(plain, (src, dst) -> new Lz4Stream(src, dst, false, true, 0, run.replies()));
              run.task(
                  checked, (src, dst) -> new Lz4Stream(src, dst, true, false, 0, run.replies()));
              checked[checked.length - 5]++;
              run.task(
                  checked, (src, dst) -> new Lz4Stream(src, dst, true, false, 0, run.replies()));
              checked[checked.length - 5]--;
              run.task(random(64), (src, dst) -> new Lz4Block(src, dst, run.replies()));
              byte[] cut = Arrays.copyOf(block, 1 + 4 + 4); // after the match
              run.task(cut, (src, dst) -> new Lz4Block(src, dst, run.replies()));
              byte[] unended = Arrays.copyOf(cut, cut.length + 1); // and no literals
              run.task(unended, (src, dst) -> new Lz4Block(src, dst, run.replies()));
            });
    assertThat(transcript.get(0)).isEqualTo(transcript.get(2)).hasSizeGreaterThan(600);
    assertThat(transcript.subList(3, 7)).containsOnly("IO_FAILED");
  }

  /** Four literals, a match of 300 bytes, and the literals that must end a block. */
  private static byte[] block() {
    return ByteBuffer.allocate(1 + 4 + 4 + 1 + 12)
        .put((byte) 0x4f)
        .put("abcd".getBytes(StandardCharsets.US_ASCII))
        .put(new byte[] {4, 0, (byte) 255, 300 - 4 - 15 - 255})
        .put((byte) 0xc0)
        .put("0123456789ab".getBytes(StandardCharsets.US_ASCII))
        .array();
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

  private static void update(Run run, Session session, byte[] part, Buffer dst) {
    run.task(part, dst, (src, to) -> new ShaProtocol.Update(session, src, to, 1, run.replies()));
  }

  private static void finish(Run run, Session session, Buffer dst) {
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

  private static AesGcmProtocol.Key key(Run run, int bytes) {
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

  private static CreateMatrix create(Run run, Definition definition) {
    return new CreateMatrix(definition, run.answers.getRef().narrow());
  }

  private static Matrix matrix(Run run, Definition definition) {
    return run.ask(MatrixCreated.class, create(run, definition)).matrix();
  }

  private static void code(Run run, Matrix coding) {
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
          run.transcript.add(new String(Run.bytes(destinations.get(0)), StandardCharsets.US_ASCII));
          batch.close();
          sources.forEach(Buffer::release);
          destinations.forEach(Buffer::release);
        });
  }
}
