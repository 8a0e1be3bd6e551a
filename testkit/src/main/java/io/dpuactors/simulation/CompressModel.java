package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testkit.device.XxHash32;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;

/** Deflate and inflate, compared with the JDK's, and LZ4 of literals. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class CompressModel implements TaskModel {
  private static final ThreadLocal<Deflater> DEFLATER =
      ThreadLocal.withInitial(() -> new Deflater(1, true));
  private static final ThreadLocal<Inflater> INFLATER =
      ThreadLocal.withInitial(() -> new Inflater(true));

  /** Largest number of bytes in addition to the literals: a token, the length, the block's size. */
  private static final int LZ4_EXTRA = 16;

  /** Number of literals from which further bytes have the rest of the number. */
  private static final int LONG_LITERALS = 15;

  /** Marks a block of a stream that is not compressed. */
  private static final int PLAIN = 0x8000_0000;

  /** A compression or a decompression: one of the buffers has the text. */
  private record Coding(TaskKind kind, byte[] input, byte[] text) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return switch (kind) {
        case COMPRESS_DEFLATE -> new CompressProtocol.Deflate(src, dst, tag, replyTo);
        case DECOMPRESS_DEFLATE -> new CompressProtocol.Inflate(src, dst, tag, replyTo);
        case DECOMPRESS_LZ4_BLOCK -> new CompressProtocol.Lz4Block(src, dst, tag, replyTo);
        default -> new CompressProtocol.Lz4Stream(src, dst, false, true, tag, replyTo);
      };
    }

    @Override
    public Object batchKey() {
      return kind;
    }

    @Override
    public Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      return new CompressProtocol.Batch(kind, batch, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      boolean deflates = kind == TaskKind.COMPRESS_DEFLATE;
      byte[] restored = deflates ? inflate(output, text.length) : output;
      return Arrays.equals(restored, text)
          && reply.crc32() == CompressModel.checksum(new CRC32(), text)
          && reply.checksum() == checksum();
    }

    private int checksum() {
      return switch (kind) {
        case DECOMPRESS_LZ4_BLOCK, DECOMPRESS_LZ4_STREAM -> XxHash32.of(text, 0, text.length);
        default -> CompressModel.checksum(new Adler32(), text);
      };
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.COMPRESS;
  }

  @Override
  public Work draw(Run run) {
    byte[] text = TaskModel.text(run);
    return switch (run.draw(0, 9)) {
      case 0, 1, 2, 3, 4 -> new Coding(TaskKind.COMPRESS_DEFLATE, text, text);
      case 5, 6, 7 -> new Coding(TaskKind.DECOMPRESS_DEFLATE, deflate(text), text);
      default -> lz4(run, Arrays.copyOf(text, Math.min(text.length, MAX_INPUT - LZ4_EXTRA)));
    };
  }

  /** Streams form no batches. */
  private static Coding lz4(Run run, byte[] text) {
    return run.scenario().equals("batches") || run.chance(50)
        ? new Coding(TaskKind.DECOMPRESS_LZ4_BLOCK, literals(text), text)
        : new Coding(TaskKind.DECOMPRESS_LZ4_STREAM, plainBlock(text), text);
  }

  /** Returns a compressed block without matches: a token, the number of literals, the literals. */
  private static byte[] literals(byte[] text) {
    ByteBuffer block = ByteBuffer.allocate(text.length + LZ4_EXTRA);
    block.put((byte) (Math.min(text.length, LONG_LITERALS) << 4));
    int left = text.length - LONG_LITERALS;
    for (; left >= 255; left -= 255) {
      block.put((byte) 255);
    }
    if (left >= 0) {
      block.put((byte) left);
    }
    block.put(text);
    return Arrays.copyOf(block.array(), block.position());
  }

  /** Returns a stream of one block that is not compressed. The end mark is optional. */
  private static byte[] plainBlock(byte[] text) {
    return ByteBuffer.allocate(Integer.BYTES + text.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(text.length | PLAIN)
        .put(text)
        .array();
  }

  private static int checksum(Checksum empty, byte[] bytes) {
    empty.update(bytes);
    return (int) empty.getValue();
  }

  private static byte[] deflate(byte[] text) {
    Deflater deflater = DEFLATER.get();
    deflater.reset();
    deflater.setInput(text);
    deflater.finish();
    byte[] output = new byte[2 * text.length + 64];
    return Arrays.copyOf(output, deflater.deflate(output));
  }

  private static byte[] inflate(byte[] input, int length) {
    Inflater inflater = INFLATER.get();
    inflater.reset();
    inflater.setInput(input);
    byte[] output = new byte[length + 1];
    try {
      return Arrays.copyOf(output, inflater.inflate(output));
    } catch (DataFormatException e) {
      return new byte[0];
    }
  }
}
