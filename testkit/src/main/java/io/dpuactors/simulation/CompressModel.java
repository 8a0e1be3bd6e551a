package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;

/** Deflate and inflate, compared with the JDK's. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class CompressModel implements TaskModel {
  private record Deflate(byte[] input) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return new CompressProtocol.Deflate(src, dst, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return Arrays.equals(inflate(output, input.length), input) && reply.crc32() == crc(input);
    }
  }

  private record Inflate(byte[] input, byte[] text) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return new CompressProtocol.Inflate(src, dst, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return Arrays.equals(output, text) && reply.crc32() == crc(text);
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.COMPRESS;
  }

  @Override
  public Work draw(Run run) {
    byte[] text = TaskModel.text(run);
    return run.chance(60) ? new Deflate(text) : new Inflate(deflate(text), text);
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static byte[] deflate(byte[] text) {
    Deflater deflater = new Deflater(1, true);
    try {
      deflater.setInput(text);
      deflater.finish();
      byte[] output = new byte[2 * text.length + 64];
      return Arrays.copyOf(output, deflater.deflate(output));
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflate(byte[] input, int length) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(input);
      byte[] output = new byte[length + 1];
      return Arrays.copyOf(output, inflater.inflate(output));
    } catch (DataFormatException e) {
      return new byte[0];
    } finally {
      inflater.end();
    }
  }
}
