package io.dpuactors.engine;

import static io.dpuactors.bridge.Permission.LOCAL_READ_WRITE;
import static io.dpuactors.bridge.Permission.PCI_READ_ONLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.ExpectedLog;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the result of a copy for memory of this process, with or without permission. The range is
 * inside or crosses the end, or the pool is closed.
 */
class LocalMemoryTest extends MemoryTestBase {
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
  void localAndClosed(int pieces) {
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

  private BufferPool opened(Set<Permission> permissions) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(PIECES + 1, WINDOW).onDevice("03:00.0").withPermissions(permissions),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }
}
