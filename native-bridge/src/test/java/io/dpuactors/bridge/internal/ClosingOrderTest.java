package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Checks that nothing closes before its users: tasks, contexts, buffers, inventories, maps, devices
 * and engine. A refused attempt changes nothing.
 */
class ClosingOrderTest {
  @Test
  void anObjectWithUsersIsNotClosed() {
    ProgressEngine engine = ProgressEngine.create(Rig.LIBRARY, 64, 256);
    Device device = Device.openFirst(engine, d -> d.capabilities(TaskLibrary.DMA).any(), "copies");
    MemoryMap map = MemoryMap.allocate(engine, device, 4096);
    BufferPool pool = RegisteredPool.of(engine, map, 2, 64);
    DocaContext context = TaskFunctions.of(TaskLibrary.DMA).create(engine, device, 1);
    context.configure(TaskKind.DMA_MEMCPY, 1);
    context.start();
    Buffer src = Rig.lease(pool, new byte[] {1});
    Buffer dst = Rig.lease(pool);
    assertThat(src.lend() && dst.lend()).isTrue();
    engine.submissions().offer(1, context.handle(), TaskKind.DMA_MEMCPY, src, dst, 0);

    assertRefused(src::release, "is lent to a context");
    assertRefused(context::destroy, "IN_USE");
    assertRefused(pool::close, "are still leased");
    assertRefused(map::close, "NOT_PERMITTED");
    assertRefused(device::close, "IN_USE");
    assertRefused(engine::close, "IN_USE");

    awaitRecord(engine);
    src.returnLoan();
    dst.returnLoan();
    assertRefused(pool::close, "are still leased");
    assertThat(dst.bytes().get(0)).as("nothing was harmed").isEqualTo((byte) 1);
    src.release();
    dst.release();
    assertRefused(map::close, "NOT_PERMITTED");
    pool.close();
    map.close();
    assertRefused(device::close, "IN_USE");
    context.stop();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (context.state() != ContextState.IDLE || engine.completions().size() > 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      engine.enter(64);
      engine.completions().drain(record -> {}, 64);
    }
    assertRefused(device::close, "IN_USE");
    assertRefused(engine::close, "IN_USE");
    context.destroy();
    assertThatThrownBy(engine::close)
        .hasMessage("close engine: DOCA_ERROR_IN_USE (3): still open: 1 DEVICE");
    device.close();
    engine.close();
    assertThat(engine.census()).hasToString("empty");
    Rig.assertSoftDpuEmpty();
  }

  private static void awaitRecord(ProgressEngine engine) {
    boolean[] done = new boolean[1];
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!done[0]) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      engine.enter(64);
      engine.completions().drain(record -> done[0] |= record.type() == RecordType.TASK_DONE, 64);
    }
  }

  private static void assertRefused(ThrowingCallable close, String why) {
    assertThatThrownBy(close).hasMessageContaining(why);
  }
}
