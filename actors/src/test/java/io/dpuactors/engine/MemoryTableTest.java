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
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol.ClosePool;
import io.dpuactors.protocol.EngineProtocol.ImportMemory;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.ExporterProcess;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the result of a copy for each kind of memory. The memory belongs to this process or to
 * another process, with or without permission. The range is inside or crosses the end. The memory
 * is valid, or unmapped, or its owner has died. It is one buffer or a chain. Each result is
 * defined, and no copy changes a byte outside its destination.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class MemoryTableTest {
  private static final int WINDOW = 1000;
  private static final int PIECES = 3;
  private static final int BYTES = 10 * WINDOW;
  private static final int FROM = 4 * WINDOW;

  private static final String WENT_DOWN = "the context stopped by itself";

  private RunningSystem system;
  private BufferPool near;
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

  // ---- Memory of another process ----

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
  void importedAndTakenBack(int pieces) throws IOException {
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
  void importedAndItsOwnerDead(int pieces) throws IOException {
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

  // ---- Memory of this process ----

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  @ExpectedLog(WENT_DOWN)
  void localAndInRange(int pieces) {
    for (Set<Permission> permissions :
        Set.of(Set.<Permission>of(), Set.of(LOCAL_READ_WRITE), Set.of(PCI_READ_ONLY))) {
      BufferPool pool = opened(permissions);
      Buffer there = chain(pool, pieces);
      Buffer beside = lease(pool);
      fill(there, (byte) 3);
      Buffer here = room(pieces);
      assertThat(copied(there, here)).isInstanceOf(Completed.class);
      assertThat(content(here)).hasSize(pieces * WINDOW).containsOnly(3);
      fill(here, (byte) 7);
      TaskReply written = copied(here, there);
      boolean mayWrite = permissions.contains(LOCAL_READ_WRITE);
      assertThat(written).isInstanceOf(mayWrite ? Completed.class : Failed.class);
      fillLengths(there);
      assertThat(content(there)).containsOnly(mayWrite ? 7 : 3);
      beside.length(WINDOW);
      assertThat(content(beside)).containsOnly(0);
      there.release();
      beside.release();
      here.release();
      close(pool);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  void localAndAcrossTheEnd(int pieces) {
    Buffer there = room(pieces);
    Buffer here = room(pieces);
    fill(here, (byte) 7);
    Buffer last = pieces == 1 ? there : there.following().get(pieces - 2);
    assertThatThrownBy(() -> last.length(WINDOW + 1)).isInstanceOf(IllegalArgumentException.class);
    here.append(lease(near));
    here.following().get(pieces - 1).length(1);
    TaskReply beyond = copied(here, there);
    assertThat(((Failed) beyond).code()).isEqualTo(DocaCode.INVALID_VALUE);
    fillLengths(there);
    assertThat(content(there)).containsOnly(0);
    there.release();
    here.release();
  }

  /** A pool cannot be closed while a lease exists, and grants no lease afterwards. */
  @ParameterizedTest
  @ValueSource(ints = {1, PIECES})
  void localAndTakenBack(int pieces) {
    BufferPool pool = opened(Set.of(LOCAL_READ_WRITE));
    Buffer there = chain(pool, pieces);
    fill(there, (byte) 1);
    TestProbe<PoolClosed> closed = system.kit.createTestProbe();
    system.engine.tell(new ClosePool(pool, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isPresent();
    there.release();
    close(pool);
    assertThatThrownBy(pool::lease).hasMessageContaining("is closed");
    Buffer here = room(pieces);
    TaskReply late = copied(there, here);
    assertThat(((Failed) late).code()).isEqualTo(DocaCode.INVALID_VALUE);
    here.release();
  }

  // ---- The source and the destination of a copy ----

  private BufferPool opened(Set<Permission> permissions) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(PIECES + 1, WINDOW).onDevice("03:00.0").withPermissions(permissions),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
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

  private void close(BufferPool pool) {
    TestProbe<PoolClosed> closed = system.kit.createTestProbe();
    system.engine.tell(new ClosePool(pool, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isEmpty();
  }

  private static Buffer lease(BufferPool pool) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    return Objects.requireNonNull(buffer);
  }

  private Buffer room(int pieces) {
    return chain(near, pieces);
  }

  private static Buffer chain(BufferPool pool, int pieces) {
    Buffer head = lease(pool);
    for (int i = 1; i < pieces; i++) {
      head.append(lease(pool));
    }
    return head;
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

  private static void fill(Buffer head, byte value) {
    fillLengths(head);
    fillOne(head, value);
    head.following().forEach(each -> fillOne(each, value));
  }

  private static void fillOne(Buffer buffer, byte value) {
    for (int i = 0; i < WINDOW; i++) {
      buffer.bytes().put(i, value);
    }
  }

  private static void fillLengths(Buffer head) {
    head.length(WINDOW);
    head.following().forEach(each -> each.length(WINDOW));
  }

  private static byte[] content(Buffer head) {
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

  private TaskReply copied(Buffer src, Buffer dst) {
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
