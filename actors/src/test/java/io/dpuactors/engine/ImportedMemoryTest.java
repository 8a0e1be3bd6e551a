package io.dpuactors.engine;

import static io.dpuactors.bridge.Permission.LOCAL_READ_WRITE;
import static io.dpuactors.bridge.Permission.PCI_READ_ONLY;
import static io.dpuactors.bridge.Permission.PCI_READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.ExporterProcess;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the result of a copy for memory of another process, with or without permission. The range
 * is inside or crosses the end. The memory is valid, or unmapped, or its process was killed. Each
 * result is defined, and no copy changes a byte outside its destination.
 */
class ImportedMemoryTest extends MemoryTestBase {
  private static final int BYTES = 10 * WINDOW;
  private static final int FROM = 4 * WINDOW;

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  @ExpectedLog(WENT_DOWN)
  void importedAndInRange(int pieces) throws IOException {
    try (ExporterProcess exporter = ExporterProcess.start()) {
      for (Permission permission : new Permission[] {PCI_READ_ONLY, PCI_READ_WRITE}) {
        BufferPool far = imported(exporter.export(BYTES, Set.of(permission)));
        Buffer there = aimed(far, pieces);
        Buffer here = room(pieces);
        assertThat(copied(there, here)).isInstanceOf(Completed.class);
        assertThat(content(here)).isEqualTo(owners(pieces));
        fill(here, (byte) 7);
        TaskReply written = copied(here, there);
        if (permission == PCI_READ_WRITE) {
          assertThat(written).isInstanceOf(Completed.class);
          assertThat(exporter.bytes(FROM, FROM + pieces * WINDOW)).containsOnly(7);
        } else {
          assertFailed(written);
          assertUnchanged(exporter, FROM, FROM + pieces * WINDOW);
        }
        assertUnchanged(exporter, 0, FROM);
        assertUnchanged(exporter, FROM + pieces * WINDOW, BYTES);
        here.release();
        there.release();
        close(far);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  void importedAndAcrossTheEnd(int pieces) throws IOException {
    try (ExporterProcess exporter = ExporterProcess.start()) {
      BufferPool far = imported(exporter.export(BYTES, Set.of(PCI_READ_WRITE)));
      Buffer there = aimed(far, pieces);
      Buffer last = pieces == 1 ? there : there.following().get(pieces - 2);
      assertThatThrownBy(() -> last.aim(BYTES - WINDOW + 1, WINDOW))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> last.aim(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> last.aim(BYTES, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> last.length(WINDOW + 1))
          .isInstanceOf(IllegalArgumentException.class);
      last.aim(BYTES - WINDOW + 1, WINDOW - 1);
      Buffer here = room(pieces);
      fill(here, (byte) 7);
      TaskReply beyond = copied(here, there);
      assertThat(((Failed) beyond).code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertUnchanged(exporter, 0, BYTES);
      there.release();
      here.release();
      close(far);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  @ExpectedLog(WENT_DOWN)
  void importedAndUnmapped(int pieces) throws IOException {
    try (ExporterProcess exporter = ExporterProcess.start()) {
      for (Permission permission : new Permission[] {PCI_READ_ONLY, PCI_READ_WRITE}) {
        MemoryExport export = exporter.export(BYTES, Set.of(permission));
        BufferPool far = imported(export);
        exporter.unmap();
        assertNothingMoves(far, pieces);
        assertUnchanged(exporter, 0, BYTES);
        assertThat(importReply(export)).isNotInstanceOf(PoolOpened.class);
        close(far);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  @ExpectedLog(WENT_DOWN)
  void importedAndItsProcessKilled(int pieces) throws IOException {
    for (Permission permission : new Permission[] {PCI_READ_ONLY, PCI_READ_WRITE}) {
      try (ExporterProcess exporter = ExporterProcess.start()) {
        MemoryExport export = exporter.export(BYTES, Set.of(permission));
        BufferPool far = imported(export);
        exporter.kill();
        assertNothingMoves(far, pieces);
        assertThat(importReply(export)).isNotInstanceOf(PoolOpened.class);
        close(far);
      }
    }
  }

  private void assertNothingMoves(BufferPool far, int pieces) {
    Buffer there = aimed(far, pieces);
    Buffer here = room(pieces);
    fill(here, (byte) 5);
    assertFailed(copied(here, there));
    assertFailed(copied(there, here));
    assertThat(content(here)).containsOnly(5);
    here.release();
    there.release();
  }

  @Test
  void memoryWithoutPciPermissionIsNotExported() throws IOException {
    try (ExporterProcess exporter = ExporterProcess.start()) {
      for (Set<Permission> none : Set.of(Set.<Permission>of(), Set.of(LOCAL_READ_WRITE))) {
        assertThat(exporter.tryToExport(BYTES, none)).isEqualTo("NOT_PERMITTED");
      }
    }
  }

  private BufferPool imported(MemoryExport export) {
    PoolReply reply = importReply(export);
    assertThat(reply).isInstanceOf(PoolOpened.class);
    return ((PoolOpened) reply).pool();
  }

  private PoolReply importReply(MemoryExport export) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new ImportMemory(Optional.of("03:00.0"), export, PIECES, Optional.empty(), probe.getRef()));
    return probe.receiveMessage();
  }

  /** Returns a chain of {@code pieces} adjacent windows of imported memory. */
  private static Buffer aimed(BufferPool far, int pieces) {
    Buffer head = chain(far, pieces);
    head.aim(FROM, WINDOW);
    for (int i = 1; i < pieces; i++) {
      head.following().get(i - 1).aim(FROM + (long) i * WINDOW, WINDOW);
    }
    return head;
  }

  private static void assertFailed(TaskReply reply) {
    assertThat(reply).isInstanceOf(Failed.class);
    assertThat(((Failed) reply).code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(((Failed) reply).ownership()).isEqualTo(Ownership.RETURNED);
  }

  private static byte[] owners(int pieces) {
    return pattern(FROM, FROM + pieces * WINDOW);
  }

  private static byte[] pattern(int from, int to) {
    byte[] bytes = new byte[to - from];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = ExporterProcess.content(from + i);
    }
    return bytes;
  }

  private static void assertUnchanged(ExporterProcess exporter, int from, int to) {
    assertThat(exporter.bytes(from, to)).isEqualTo(pattern(from, to));
  }
}
