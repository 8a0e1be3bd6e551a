package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** A run of a program on one context, with the transcript of its results. */
final class ConformanceRun {
  static final int ROOM = 8192;

  static final byte[] TEXT =
      "one two three one two three one two three four five".getBytes(StandardCharsets.US_ASCII);

  final ActorRef<LocalMessage> context;
  final BufferPool pool;
  final TestProbe<Object> answers;
  final List<String> transcript = new ArrayList<>();

  ConformanceRun(EngineTestKit kit, ActorRef<LocalMessage> context, BufferPool pool) {
    this.context = context;
    this.pool = pool;
    this.answers = kit.actors().createTestProbe();
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
        "%08x %08x %s".formatted(done.crc32(), done.checksum(), HexFormat.of().formatHex(output)));
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

  /**
   * Runs a program on a context of an engine and on a scripted one. Both runs must have the same
   * transcript.
   */
  static List<String> same(
      EngineTestKit kit, TaskLibrary library, Consumer<ConformanceRun> program) {
    ConformanceRun real =
        new ConformanceRun(kit, kit.open(library, TaskOptions.defaults()), kit.pool(8, ROOM));
    program.accept(real);
    ConformanceRun scripted =
        new ConformanceRun(
            kit, ScriptedContext.of(library, kit.actors()).ref(), HeapBuffers.pool(8, ROOM));
    program.accept(scripted);
    assertThat(scripted.transcript).isNotEmpty().isEqualTo(real.transcript);
    assertThat(real.pool.available()).isEqualTo(8);
    assertThat(scripted.pool.available()).isEqualTo(8);
    return real.transcript;
  }

  static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }
}
