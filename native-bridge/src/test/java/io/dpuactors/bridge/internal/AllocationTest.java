package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMCH_CLIENT_SEND;
import static io.dpuactors.bridge.TaskKind.COMPRESS_DEFLATE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Checks that tasks and messages allocate no Java memory on their way through the boundary. */
class AllocationTest {
  private static final int WINDOW = 32;
  private static final int TASKS = 100_000;
  private static final long BOUND_BYTES = 16 * 1024;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Leases, offers and drains one window after another, and counts the drained tasks. */
  private static final class Pump implements CompletionRing.RecordHandler {
    private final Rig rig;
    private final DocaContext context;
    private final BufferPool pool;
    private final Buffer[] held = new Buffer[2 * WINDOW];
    private long sum;
    private int drained;

    Pump(Rig rig) {
      this.rig = rig;
      this.pool = rig.pool(2 * WINDOW, 64);
      this.context = rig.compress(WINDOW, COMPRESS_DEFLATE);
    }

    void run(int tasks) {
      drained = 0;
      for (int offered = 0; offered < tasks; offered += WINDOW) {
        for (int i = 0; i < WINDOW; i++) {
          offer(i);
        }
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (drained < offered + WINDOW) {
          rig.engine.enter(WINDOW);
          rig.engine.completions().drain(this, WINDOW);
          if (System.nanoTime() > deadline) {
            throw new AssertionError("only " + drained + " answers");
          }
        }
        for (Buffer buffer : held) {
          buffer.release();
        }
      }
    }

    private void offer(int i) {
      Buffer src = pool.lease();
      Buffer dst = pool.lease();
      if (src == null || dst == null) {
        throw new AssertionError("the pool is too small");
      }
      src.bytes().putInt(i);
      src.length(Integer.BYTES);
      held[2 * i] = src;
      held[2 * i + 1] = dst;
      rig.engine
          .submissions()
          .offer(UserData.pack(i, 1), context.handle(), COMPRESS_DEFLATE, src, dst, 0);
    }

    @Override
    public void onRecord(CompletionRing record) {
      if (record.type() == RecordType.TASK_DONE && record.kind() == COMPRESS_DEFLATE) {
        sum += UserData.slot(record.userData()) + record.produced() + record.status();
        drained++;
      }
    }
  }

  /** Sends messages from a client to a server, and reads them. */
  private static final class Courier implements CompletionRing.RecordHandler {
    private final ComchRig rig = ComchRig.started();
    private final DocaContext client = rig.client();
    private final NativeCells cells = NativeCells.allocate(1, 64);
    private long sum;
    private int received;
    private int answered;

    void run(int messages) {
      received = 0;
      answered = 0;
      int connection = Comch.connection(client);
      long deadline = System.nanoTime() + 30_000_000_000L;
      int sent = 0;
      while (received < messages || answered < messages) {
        for (; sent < messages && sent - answered < ComchRig.TASKS; sent++) {
          rig.rig
              .engine
              .submissions()
              .offerMessage(
                  sent, client.handle(), COMCH_CLIENT_SEND, connection, cells.address(0), 64);
        }
        rig.rig.engine.enter(WINDOW);
        rig.rig.engine.completions().drain(this, WINDOW);
        if (System.nanoTime() > deadline) {
          throw new AssertionError("only " + received + " messages");
        }
      }
    }

    @Override
    public void onRecord(CompletionRing record) {
      if (record.type() == RecordType.MESSAGE) {
        sum += 1 + record.message().getLong(0) + record.messageLength() + record.connection();
        received++;
      } else if (record.type() == RecordType.TASK_DONE) {
        answered++;
      }
    }
  }

  @Test
  void tenThousandMessagesAllocateNothing() {
    Courier courier = new Courier();
    try (ComchRig rig = courier.rig) {
      rig.connect(courier.client);
      courier.run(TASKS / 10);
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      courier.run(TASKS / 10);
      long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      assertThat(courier.received).isEqualTo(TASKS / 10);
      assertThat(courier.sum).isNotZero();
      assertThat(allocated).as("bytes for %d messages", TASKS / 10).isLessThan(BOUND_BYTES);
    }
  }

  @Test
  void hundredThousandTasksAllocateNothing() {
    try (Rig rig = new Rig()) {
      Rig.SOFT_DPU.nullDevice(true);
      Pump pump = new Pump(rig);
      pump.run(TASKS / 10); // loads classes, lets the JIT compiler settle
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      pump.run(TASKS);
      long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      assertThat(pump.drained).isGreaterThanOrEqualTo(TASKS);
      assertThat(pump.sum).isPositive();
      assertThat(allocated).as("bytes for %d tasks", TASKS).isLessThan(BOUND_BYTES);
    }
  }
}
