package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;

/** Deflate and inflate, compared with the JDK's. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class CompressModel implements TaskModel {
  private static final ThreadLocal<Deflater> DEFLATER =
      ThreadLocal.withInitial(() -> new Deflater(1, true));
  private static final ThreadLocal<Inflater> INFLATER =
      ThreadLocal.withInitial(() -> new Inflater(true));

  /** A compression or a decompression: one of the buffers has the text. */
  private record Coding(TaskKind kind, byte[] input, byte[] text) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return kind == TaskKind.COMPRESS_DEFLATE
          ? new CompressProtocol.Deflate(src, dst, tag, replyTo)
          : new CompressProtocol.Inflate(src, dst, tag, replyTo);
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
          && reply.crc32() == checksum(new CRC32(), text)
          && reply.checksum() == checksum(new Adler32(), text);
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.COMPRESS;
  }

  @Override
  public Work draw(Run run) {
    byte[] text = TaskModel.text(run);
    return run.chance(60)
        ? new Coding(TaskKind.COMPRESS_DEFLATE, text, text)
        : new Coding(TaskKind.DECOMPRESS_DEFLATE, deflate(text), text);
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
