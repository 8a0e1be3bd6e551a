package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.BYTES;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static io.dpuactors.streams.StreamRig.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests flows whose elements are in the memory of the device. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BufferAccessTest {
  private static final int BLOCKS = 40;

  @Test
  void blocksOfAFileAreCopiedInPlace(@TempDir Path folder) throws Exception {
    byte[] content = content();
    Path input = Files.write(folder.resolve("input"), content);
    Path output = folder.resolve("output");
    try (StreamRig rig = StreamRig.create();
        FileChannel in = FileChannel.open(input);
        FileChannel out =
            FileChannel.open(output, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      StreamStatistics end =
          run(rig, Dma.flow(rig.system.engine, rig.dma(), options(), blocks(in, out)));
      assertThat(Files.readAllBytes(output)).isEqualTo(content);
      assertThat(end)
          .isEqualTo(new StreamStatistics(BLOCKS, content.length, BLOCKS, content.length, 0));
    }
  }

  @Test
  void deflatedBlocksInflateToTheInput() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      List<ByteString> blocks = StreamRig.elements(20);
      ActorRef<CompressProtocol.Command> compress = rig.compress();
      List<ByteString> results =
          get(
              Source.from(blocks)
                  .via(Deflate.flow(rig.system.engine, compress, options(), new InHeap()))
                  .via(Inflate.flow(rig.system.engine, compress, options(), new InHeap()))
                  .runWith(Sink.seq(), rig.system.kit.system()));
      assertThat(results).isEqualTo(blocks);
      rig.awaitReleased();
    }
  }

  @Test
  void anExceptionOfTheAccessFailsTheStreamAndReleasesItsMemory() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<DmaProtocol.Command> dma = rig.dma();
      for (boolean isWrite : new boolean[] {true, false}) {
        var flow = Dma.flow(rig.system.engine, dma, options(), new Failing(isWrite));
        Throwable failure = failure(start(rig, flow));
        assertThat(failure).hasRootCauseInstanceOf(IOException.class);
        assertThat(failure).hasRootCauseMessage("block 7");
      }
    }
  }

  @Test
  void anEmptyElementFailsTheStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      var flow = Dma.flow(rig.system.engine, rig.dma(), options(), new InHeap());
      Throwable failure =
          failure(
              Source.single(ByteString.emptyByteString())
                  .viaMat(flow, Keep.right())
                  .to(Sink.ignore())
                  .run(rig.system.kit.system()));
      assertThat(((DocaException) failure).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    }
  }

  @Test
  void aStreamThatIsCancelledReleasesItsMemory() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<StreamStatistics> end =
          Source.repeat(ByteString.fromString("block"))
              .viaMat(Dma.flow(rig.system.engine, rig.dma(), options(), new InHeap()), Keep.right())
              .take(10)
              .to(Sink.ignore())
              .run(rig.system.kit.system());
      assertThat(get(end).elementsOut()).isGreaterThanOrEqualTo(10);
    }
  }

  private static byte[] content() {
    byte[] content = new byte[BLOCKS * BYTES - 17];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 + i / BYTES);
    }
    return content;
  }

  private static StreamStatistics run(
      StreamRig rig, Flow<Long, ?, CompletionStage<StreamStatistics>> flow) throws Exception {
    return get(start(rig, flow));
  }

  private static CompletionStage<StreamStatistics> start(
      StreamRig rig, Flow<Long, ?, CompletionStage<StreamStatistics>> flow) {
    return Source.fromJavaStream(() -> LongStream.range(0, BLOCKS).boxed())
        .viaMat(flow, Keep.right())
        .to(Sink.ignore())
        .run(rig.system.kit.system());
  }

  private static BufferAccess<Long, Integer> blocks(FileChannel in, FileChannel out) {
    return new BufferAccess<>() {
      @Override
      public void write(Long block, ByteBuffer src) throws IOException {
        while (src.hasRemaining() && in.read(src, block * BYTES + src.position()) >= 0) {}
      }

      @Override
      public Integer read(Long block, ByteBuffer dst) throws IOException {
        int bytes = dst.remaining();
        while (dst.hasRemaining()) {
          out.write(dst, block * BYTES + dst.position());
        }
        return bytes;
      }
    };
  }

  /** Elements and results in the heap. */
  private static final class InHeap implements BufferAccess<ByteString, ByteString> {
    @Override
    public void write(ByteString element, ByteBuffer src) {
      element.copyToBuffer(src);
    }

    @Override
    public ByteString read(ByteString element, ByteBuffer dst) {
      return ByteString.fromByteBuffer(dst);
    }
  }

  /** Fails at the eighth element. */
  private record Failing(boolean isWrite) implements BufferAccess<Long, Long> {
    @Override
    public void write(Long block, ByteBuffer src) throws IOException {
      src.putLong(block);
      fail(block, isWrite);
    }

    @Override
    public Long read(Long block, ByteBuffer dst) throws IOException {
      fail(block, !isWrite);
      return dst.getLong();
    }

    private static void fail(long block, boolean isHere) throws IOException {
      if (isHere && block == 7) {
        throw new IOException("block 7");
      }
    }
  }
}
