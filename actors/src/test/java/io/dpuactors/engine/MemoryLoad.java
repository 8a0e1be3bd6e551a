package io.dpuactors.engine;

import static io.dpuactors.bridge.Permission.PCI_READ_ONLY;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testing.ExporterProcess;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A program that repeatedly copies small blocks and imports the memory of another process. The
 * program prints the resources in use after each round: {@code MemoryLoad COPIES CYCLES ROUNDS}.
 */
final class MemoryLoad {
  private static final int SLOT = 64;
  private static final int WINDOW = 32;
  private static final int BYTES = 4096;

  /** The records of the first round touch all pages of a ring of this size. */
  private final RunningSystem system = RunningSystem.create("dpu.engine.completion-ring = 4096");

  private final ActorRef<DmaProtocol.Command> dma =
      system.openedDma("dma", TaskOptions.defaults().withWindow(WINDOW));
  private final BufferPool pool = system.pool(2 * WINDOW, SLOT);
  private final TestProbe<TaskReply> replies = system.kit.createTestProbe();

  private MemoryLoad() {}

  public static void main(String[] arguments) throws IOException {
    int copies = Integer.parseInt(arguments[0]);
    int cycles = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    MemoryLoad load = new MemoryLoad();
    try (ExporterProcess exporter = ExporterProcess.start()) {
      load.copy(copies); // warm-up: loads and opens all lasting resources
      load.cycle(exporter, cycles);
      for (int i = 0; i < rounds; i++) {
        Usage before = Usage.now();
        load.copy(copies);
        System.out.println("copies " + before.to(Usage.now()));
      }
      for (int i = 0; i < rounds; i++) {
        Usage before = Usage.now();
        Usage there = Usage.of(exporter);
        load.cycle(exporter, cycles);
        System.out.println("cycles " + before.to(Usage.now()));
        System.out.println("exporter " + there.to(Usage.of(exporter)));
      }
      exporter.unmap();
      System.out.println("exporter's census " + exporter.census());
    }
    System.out.println("census " + load.system.stopEngine().census());
    load.system.close();
  }

  /** Open descriptors and resident memory of a process. */
  private record Usage(long descriptors, long kib) {
    static Usage now() throws IOException {
      System.gc();
      long self = ProcessHandle.current().pid();
      return new Usage(ExporterProcess.descriptors(self), ExporterProcess.ownKib(self));
    }

    static Usage of(ExporterProcess exporter) throws IOException {
      return new Usage(exporter.descriptors(), exporter.ownKib());
    }

    String to(Usage after) {
      return "descriptors %d kib %d".formatted(after.descriptors - descriptors, after.kib - kib);
    }
  }

  /** Copies in waves and checks each result. */
  private void copy(int copies) {
    for (int first = 0; first < copies; first += WINDOW) {
      for (int i = 0; i < WINDOW; i++) {
        Buffer src = Objects.requireNonNull(pool.lease());
        src.bytes().putInt(0, first + i);
        src.length(4 + i);
        dma.tell(new Copy(src, Objects.requireNonNull(pool.lease()), first + i, replies.getRef()));
      }
      for (int i = 0; i < WINDOW; i++) {
        Completed done = (Completed) replies.receiveMessage();
        check(done.dst().bytes().getInt(0) == (int) done.tag());
        check(done.dst().length() == done.src().length());
        done.src().release();
        done.dst().release();
      }
    }
  }

  private void cycle(ExporterProcess exporter, int cycles) {
    for (int i = 0; i < cycles; i++) {
      importOnce(exporter.export(BYTES, Set.of(PCI_READ_ONLY)), i % (BYTES - SLOT));
    }
  }

  private void importOnce(MemoryExport export, int from) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new ImportMemory(Optional.empty(), export, 2, Optional.empty(), probe.getRef()));
    BufferPool far = ((PoolOpened) probe.receiveMessage()).pool();
    Buffer src = Objects.requireNonNull(far.lease());
    src.aim(from, SLOT);
    dma.tell(new Copy(src, Objects.requireNonNull(pool.lease()), replies.getRef()));
    Completed done = (Completed) replies.receiveMessage();
    for (int i = 0; i < SLOT; i++) {
      check(done.dst().bytes().get(i) == ExporterProcess.content(from + i));
    }
    done.src().release();
    done.dst().release();
    TestProbe<PoolClosed> closed = system.kit.createTestProbe();
    system.engine.tell(new ClosePool(far, closed.getRef()));
    check(closed.receiveMessage().failure().isEmpty());
    probe.stop();
    closed.stop();
  }

  private static void check(boolean right) {
    if (!right) {
      throw new AssertionError("a copy differs from its source");
    }
  }
}
