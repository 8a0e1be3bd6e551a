package io.dpuactors.testkit;

import static io.dpuactors.testkit.ConformanceRun.ROOM;
import static io.dpuactors.testkit.ConformanceRun.TEXT;
import static io.dpuactors.testkit.ConformanceRun.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.CompressProtocol.Lz4Block;
import io.dpuactors.protocol.CompressProtocol.Lz4Stream;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testkit.device.XxHash32;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the software DPU and the JDK compress and decompress alike. */
class CompressConformanceTest {
  @RegisterExtension static final EngineTestKit DPU = EngineTestKit.create();

  private static List<String> same(TaskLibrary library, Consumer<ConformanceRun> program) {
    return ConformanceRun.same(DPU, library, program);
  }

  /** The streams differ, so their lengths and bytes are not compared. */
  @Test
  void deflateStreamsOfBothAreInflatedByBoth() {
    List<byte[]> streams = new ArrayList<>();
    List<String> checksums = new ArrayList<>();
    for (Subject.Kind kind : Subject.Kind.values()) {
      ConformanceRun run = compress(kind);
      streams.add(run.task(TEXT, (src, dst) -> new Deflate(src, dst, run.replies())));
      checksums.add(run.transcript.get(0).substring(0, 17));
    }
    assertThat(checksums.get(0)).isEqualTo(checksums.get(1));
    for (Subject.Kind kind : Subject.Kind.values()) {
      ConformanceRun run = compress(kind);
      for (byte[] stream : streams) {
        assertThat(run.task(stream, (src, dst) -> new Inflate(src, dst, run.replies())))
            .isEqualTo(TEXT);
        assertThat(run.transcript.get(0)).startsWith(checksums.get(0));
      }
    }
  }

  private static int opened;

  private static ConformanceRun compress(Subject.Kind kind) {
    if (kind == Subject.Kind.SCRIPTED) {
      return new ConformanceRun(
          DPU,
          ScriptedContext.of(TaskLibrary.COMPRESS, DPU.actors()).ref(),
          HeapBuffers.pool(2, ROOM));
    }
    ContextReply<LocalMessage> reply =
        DPU.ask(
            me ->
                new OpenLibrary(
                    TaskLibrary.COMPRESS, "compress-" + opened++, TaskOptions.defaults(), me));
    return new ConformanceRun(
        DPU, ((ContextReply.Opened<LocalMessage>) reply).context(), DPU.pool(2, ROOM));
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
}
