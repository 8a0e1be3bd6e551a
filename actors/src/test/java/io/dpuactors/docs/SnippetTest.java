package io.dpuactors.docs;

import static io.dpuactors.docs.Ask.ask;
import static io.dpuactors.testing.RunningSystem.buffer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the code in this package, which the documents show, on the software DPU. Each project in
 * examples/ has its test.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class SnippetTest {
  @Test
  void aBatchRunsTheRequestedNumberOfTimes() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      List<Buffer> from = List.of(buffer(pool, (byte) 1), buffer(pool, (byte) 2));
      List<Buffer> to = List.of(buffer(pool), buffer(pool));
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      ActorRef<BatchReply> copies = system.kit.spawn(CopyInBatches.copies(dma, from, to, 3));
      system.kit.createTestProbe().expectTerminated(copies);
      for (int i = 0; i < 2; i++) {
        assertThat(to.get(i).bytes().get(0)).isEqualTo((byte) (i + 1));
        from.get(i).release();
        to.get(i).release();
      }
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void buffersAreReturnedWithEachAnswer() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      TaskOptions oneAtATime =
          TaskOptions.defaults()
              .withKinds(TaskKind.COMPRESS_DEFLATE)
              .withWindow(1)
              .withQueue(0)
              .withDeadline(Duration.ofSeconds(1));
      BufferPool pool = system.pool(8, 4096);
      ActorRef<CompressProtocol.Command> compress = system.opened("compress", oneAtATime);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      List<Integer> results = new ArrayList<>();

      compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      Replies.onReply(
          replies.expectMessageClass(Completed.class), dst -> results.add(dst.length()));
      assertThat(results).hasSize(1);
      assertThat(pool.available()).isEqualTo(8);

      compress.tell(new Deflate(buffer(pool), buffer(pool), replies.getRef()));
      Failed refused = replies.expectMessageClass(Failed.class);
      assertThat(refused.code()).isEqualTo(DocaCode.INVALID_VALUE);
      Replies.onReply(refused, dst -> results.add(0));
      assertThat(pool.available()).isEqualTo(8);

      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      TaskReply busy = replies.receiveMessage();
      assertThat(busy).isInstanceOf(Busy.class);
      Replies.onReply(busy, dst -> results.add(0));
      assertThat(pool.available()).isEqualTo(6);
      Failed late = replies.expectMessageClass(Failed.class);
      assertThat(late.ownership()).isEqualTo(Ownership.RETAINED);
      Replies.onReply(late, dst -> results.add(0));
      FreshSoftDpu.DEVICE.manualClock(false);
      Awaitility.await().until(() -> pool.available() == 8);
      assertThat(results).hasSize(1);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aBehaviorFollowsASyncEvent() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<SyncEventProtocol.OpenReply> opened = system.kit.createTestProbe();
      system.engine.tell(new OpenSyncEvent("event", SyncEventOptions.defaults(), opened.getRef()));
      ActorRef<SyncEventProtocol.Command> event =
          ((SyncEventProtocol.Opened) opened.receiveMessage()).context();
      TestProbe<Long> values = system.kit.createTestProbe();
      ActorRef<SyncEventProtocol.Reply> follower =
          system.kit.spawn(WorkCounter.follow(event, values.getRef()::tell));
      TestProbe<SyncEventProtocol.Reply> replies = system.kit.createTestProbe();
      for (long value = 1; value <= 3; value++) {
        event.tell(new SyncEventProtocol.Set(value, 0, replies.getRef()));
        values.expectMessage(value);
      }
      assertThat(system.stopEngine().clean()).isTrue();
      values.expectTerminated(follower);
    }
  }

  @Test
  void aFaultPlanFailsTheThirdTask() {
    try (RunningSystem system = RunningSystem.create()) {
      FaultPlan.thirdFails();
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      BufferPool pool = system.pool(2, 4096);
      Buffer src = buffer(pool, (byte) 1);
      Buffer dst = buffer(pool);
      List<Class<?>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        TaskReply reply = ask(compress, me -> new Deflate(src, dst, me), system.kit.system());
        answers.add(reply.getClass());
      }
      assertThat(answers)
          .containsExactly(Completed.class, Completed.class, Failed.class, Completed.class);
      assertThat(FreshSoftDpu.DEVICE.faultCounters())
          .containsEntry("failed", 1L)
          .containsEntry("delayed", 2L);
      src.release();
      dst.release();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void theCountersAreThoseThatTheDocumentExplains() throws IOException {
    try (RunningSystem system = RunningSystem.create()) {
      List<Status> status = new ArrayList<>();
      String printed =
          printed(() -> status.add(EngineCounters.print(system.engine, system.kit.system())));
      assertThat(printed).contains("software DPU, open: {}", "bridge-enters ");
      String explained = Files.readString(Documents.ROOT.resolve("docs/threading.md"));
      assertThat(status.get(0).counters().keySet())
          .allSatisfy(name -> assertThat(explained).contains("| `" + name + "` |"));
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** A program that prints to the standard output. */
  private interface Printing {
    void run() throws IOException;
  }

  private static String printed(Printing printing) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      printing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }
}
