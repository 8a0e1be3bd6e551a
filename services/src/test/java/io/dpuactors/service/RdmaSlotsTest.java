package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.testkit.HeapBuffers;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests which leases return when a client ends while tasks are in flight. */
class RdmaSlotsTest {
  private static final int SLOTS = 3;

  private final BufferPool local = HeapBuffers.pool(SLOTS, 16);
  private final BufferPool remote = HeapBuffers.pool(SLOTS, 16);

  /** A message in flight holds its local buffer only. */
  @Test
  void anInterruptedMessageKeepsNoLeaseOfRemoteMemory() {
    RdmaSlots slots = Objects.requireNonNull(RdmaSlots.lease(local, remote, SLOTS));
    slots.size(8);
    slots.lend(1);
    slots.release();
    assertThat(remote.available()).isEqualTo(SLOTS);
    assertThat(local.available()).isEqualTo(SLOTS - 1);
    slots.local(1).release(); // as the answer does, which nobody receives
    local.close();
    remote.close();
  }

  @Test
  void anAnsweredTaskReturnsItsSlot() {
    RdmaSlots slots = Objects.requireNonNull(RdmaSlots.lease(local, remote, SLOTS));
    slots.size(8);
    slots.lend(2);
    slots.returned(2);
    slots.release();
    local.close();
    remote.close();
  }

  /** An engine that stops lends no more buffers. */
  @Test
  void withoutAllBuffersThereAreNone() {
    assertThat(RdmaSlots.lease(local, remote, SLOTS + 1)).isNull();
    assertThat(local.available()).isEqualTo(SLOTS);
    remote.stopLending();
    assertThat(RdmaSlots.lease(local, remote, SLOTS)).isNull();
    assertThat(local.available()).isEqualTo(SLOTS);
    local.close();
    assertThat(RdmaSlots.lease(local, remote, SLOTS)).isNull();
  }
}
