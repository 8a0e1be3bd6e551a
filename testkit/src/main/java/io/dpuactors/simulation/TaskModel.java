package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;

/** What a library's tasks do: the inputs of a scenario, and the outputs that they must have. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
interface TaskModel {
  /** All models. */
  List<TaskModel> ALL = List.of(new Compress(), new Dma());

  /** Bytes of the largest input. */
  int MAX_INPUT = 1024;

  /** One request of a scenario. */
  interface Work {
    /** Returns the bytes of the source. */
    byte[] input();

    /** Returns the message to the context. */
    Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);

    /** Returns whether the answer has the right output and checksums. */
    boolean isRight(Completed reply, byte[] output);
  }

  /** Returns the name of the scenario. */
  String name();

  /** Returns the command that opens a context. */
  EngineProtocol.Command open(String name, TaskOptions options, ActorRef<Object> replyTo);

  /** Draws a request. */
  Work draw(Run run);

  /** Returns bytes that compress, from the random numbers of the run. */
  static byte[] text(Run run) {
    byte[] words = new byte[16];
    run.fill(words);
    byte[] text = new byte[run.draw(1, MAX_INPUT)];
    for (int i = 0; i < text.length; i++) {
      text[i] = words[(i * 7 + (i >> 5)) & 15];
    }
    return text;
  }

  /** Deflate and inflate. */
  final class Compress implements TaskModel {
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
    public String name() {
      return "compress";
    }

    @Override
    public EngineProtocol.Command open(String name, TaskOptions options, ActorRef<Object> replyTo) {
      return new EngineProtocol.OpenCompress(name, options, replyTo.narrow());
    }

    @Override
    public Work draw(Run run) {
      byte[] text = text(run);
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

  /** Copies. */
  final class Dma implements TaskModel {
    private record Copy(byte[] input) implements Work {
      @Override
      public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
        return new DmaProtocol.Copy(src, dst, tag, replyTo);
      }

      @Override
      public boolean isRight(Completed reply, byte[] output) {
        return Arrays.equals(output, input);
      }
    }

    @Override
    public String name() {
      return "dma";
    }

    @Override
    public EngineProtocol.Command open(String name, TaskOptions options, ActorRef<Object> replyTo) {
      return new EngineProtocol.OpenDma(name, options, replyTo.narrow());
    }

    @Override
    public Work draw(Run run) {
      return new Copy(text(run));
    }
  }

  /** Returns the content of a buffer. */
  static byte[] content(Buffer buffer) {
    ByteBuffer view = buffer.bytes();
    byte[] bytes = new byte[buffer.length()];
    view.get(0, bytes);
    return bytes;
  }
}
