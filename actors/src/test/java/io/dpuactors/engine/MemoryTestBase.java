package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Copies between a pool of a DMA context and other memory, in one buffer or in a chain. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
abstract class MemoryTestBase {
  static final int WINDOW = 1000;
  static final int PIECES = 3;

  static final String WENT_DOWN = "the context stopped by itself";

  RunningSystem system;
  BufferPool near;
  private TestProbe<TaskReply> replies;
  private ActorRef<DmaProtocol.Command> dma;

  @BeforeEach
  void start() {
    system = RunningSystem.create();
    near = system.pool(2 * PIECES + 3, WINDOW);
    replies = system.kit.createTestProbe();
    dma =
        system.openedDma(
            "dma", TaskOptions.defaults().withSupervision(SupervisorStrategy.restart()));
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }

  void close(BufferPool pool) {
    TestProbe<PoolClosed> closed = system.kit.createTestProbe();
    system.engine.tell(new ClosePool(pool, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isEmpty();
  }

  static Buffer lease(BufferPool pool) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    return Objects.requireNonNull(buffer);
  }

  Buffer room(int pieces) {
    return chain(near, pieces);
  }

  static Buffer chain(BufferPool pool, int pieces) {
    Buffer head = lease(pool);
    for (int i = 1; i < pieces; i++) {
      head.append(lease(pool));
    }
    return head;
  }

  static void fill(Buffer head, byte value) {
    fillLengths(head);
    fillOne(head, value);
    head.following().forEach(each -> fillOne(each, value));
  }

  private static void fillOne(Buffer buffer, byte value) {
    for (int i = 0; i < WINDOW; i++) {
      buffer.bytes().put(i, value);
    }
  }

  static void fillLengths(Buffer head) {
    head.length(WINDOW);
    head.following().forEach(each -> each.length(WINDOW));
  }

  static byte[] content(Buffer head) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    add(all, head);
    head.following().forEach(each -> add(all, each));
    return all.toByteArray();
  }

  private static void add(ByteArrayOutputStream all, Buffer buffer) {
    byte[] bytes = new byte[buffer.length()];
    buffer.bytes().get(0, bytes);
    all.writeBytes(bytes);
  }

  TaskReply copied(Buffer src, Buffer dst) {
    dma.tell(new Copy(src, dst, replies.getRef()));
    TaskReply reply = replies.receiveMessage();
    if (reply instanceof Failed) {
      awaitContext();
    }
    return reply;
  }

  /**
   * Waits until the context has restarted. A failed copy stops the context, and later requests fail
   * until the restart.
   */
  private void awaitContext() {
    Buffer src = lease(near);
    src.length(1);
    Buffer dst = lease(near);
    TestProbe<TaskReply> probe = system.kit.createTestProbe();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              dma.tell(new Copy(src, dst, probe.getRef()));
              return probe.receiveMessage() instanceof Completed;
            });
    src.release();
    dst.release();
  }
}
