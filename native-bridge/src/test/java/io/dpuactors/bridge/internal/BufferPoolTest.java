package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private final Rig rig = new Rig();

  @AfterEach
  void end() {
    System.clearProperty("dpu.lease.debug");
    rig.close();
  }

  private BufferPool open(int count, int bytes) {
    return RegisteredPool.create(rig.engine, rig.device, count, bytes);
  }

  @Test
  void leasesAreBoundedAndDistinct() {
    try (BufferPool pool = open(5, 100)) {
      List<Buffer> leased = new ArrayList<>();
      for (Buffer next = pool.lease(); next != null; next = pool.lease()) {
        leased.add(next);
      }
      assertThat(leased).hasSize(5).doesNotHaveDuplicates();
      assertThat(pool.available()).isZero();
      assertThat(pool.capacity()).isEqualTo(5);
      assertThat(rig.engine.census().count(Census.Resource.LEASE)).isEqualTo(5);
      for (Buffer buffer : leased) {
        assertThat(buffer.address() % 64).isZero();
        buffer.release();
      }
      assertThat(pool.available()).isEqualTo(5);
      assertThat(rig.engine.census().count(Census.Resource.LEASE)).isZero();
    }
  }

  @Test
  void windowsDoNotOverlap() {
    try (BufferPool pool = open(4, 5000)) {
      List<Buffer> leased = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Buffer buffer = Rig.lease(pool);
        assertThat(buffer.address() % 4096).isZero();
        while (buffer.bytes().hasRemaining()) {
          buffer.bytes().put((byte) buffer.index());
        }
        buffer.length(5000);
        leased.add(buffer);
      }
      for (Buffer buffer : leased) {
        assertThat(Rig.content(buffer)).hasSize(5000).containsOnly(buffer.index());
        buffer.release();
      }
    }
  }

  @Test
  void aLeaseBeginsEmptyAndCleared() {
    try (BufferPool pool = open(1, 100)) {
      Buffer buffer = Rig.lease(pool);
      assertThat(buffer.isLeased()).isTrue();
      assertThat(buffer.pool()).isSameAs(pool);
      buffer.bytes().putInt(1).limit(50);
      buffer.length(4);
      buffer.release();
      assertThat(buffer.isLeased()).isFalse();
      Buffer again = Rig.lease(pool);
      assertThat(again.length()).isZero();
      assertThat(again.bytes().position()).isZero();
      assertThat(again.bytes().limit()).isEqualTo(100);
      assertThat(again.bytes().order()).isEqualTo(ByteOrder.nativeOrder());
      assertThat(again.capacity()).isEqualTo(100);
      again.release();
    }
  }

  @Test
  void lengthStaysInTheWindow() {
    try (BufferPool pool = open(1, 100)) {
      Buffer buffer = Rig.lease(pool);
      assertThatThrownBy(() -> buffer.length(101)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> buffer.length(-1)).isInstanceOf(IllegalArgumentException.class);
      buffer.length(100);
      assertThat(buffer.length()).isEqualTo(100);
      buffer.release();
    }
  }

  @Test
  void nothingIsDoneWithAReleasedBuffer() {
    try (BufferPool pool = open(2, 100)) {
      Buffer buffer = Rig.lease(pool);
      buffer.release();
      assertThatThrownBy(buffer::release)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("release: buffer 0 is not leased")
          .hasNoCause();
      assertThatThrownBy(buffer::bytes).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(buffer::length).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> buffer.length(1)).isInstanceOf(IllegalStateException.class);
      assertThat(pool.available()).isEqualTo(2);
    }
  }

  @Test
  void debuggingNamesWhoReleased() {
    System.setProperty("dpu.lease.debug", "true");
    try (BufferPool pool = open(1, 100)) {
      Buffer buffer = Rig.lease(pool);
      assertThat(OnThread.run("first", buffer::release)).isNull();
      assertThatThrownBy(buffer::release)
          .isInstanceOf(IllegalStateException.class)
          .cause()
          .hasMessage("buffer 0 was released by thread first");
    }
  }

  @Test
  void aPoolWithLeasesStaysOpenAndNamesThem() {
    System.setProperty("dpu.lease.debug", "true");
    BufferPool pool = open(3, 100);
    Buffer first = Rig.lease(pool);
    Buffer lost = Rig.lease(pool);
    first.release();
    assertThatThrownBy(pool::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "close: 1 buffers of the buffer pool of 3 x 100 bytes are still leased: "
                + lost.index())
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .contains("buffer " + lost.index() + " was leased by thread "));
    assertThat(pool.available()).isEqualTo(2);
    Rig.lease(pool).release();
    lost.release();
    pool.close();
    pool.close();
    assertThatThrownBy(pool::lease)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("lease: buffer pool of 3 x 100 bytes is closed");
    assertThat(pool.available()).isZero();
  }

  @Test
  void aLostLeaseIsCountedAndHoldsNothingElseBack() {
    BufferPool pool = open(3, 100);
    Buffer lost = Rig.lease(pool, Inputs.text(10));
    assertThat(pool.closeAfterLoss()).isEqualTo(1);
    assertThat(pool.closeAfterLoss()).isEqualTo(1);
    pool.close();
    assertThat(rig.engine.census()).hasToString("1 DEVICE, 1 LEASE");
    assertThat(Rig.SOFT_DPU.census()).containsEntry("maps", 0L).containsEntry("buffers", 0L);
    assertThat(Rig.content(lost)).as("its memory is still there").isEqualTo(Inputs.text(10));
    lost.release();
    assertThat(rig.engine.census()).hasToString("1 DEVICE");
    assertThatThrownBy(pool::lease).hasMessageContaining("is closed");
  }

  @Test
  void withoutLossCloseAfterLossIsClose() {
    BufferPool pool = open(2, 100);
    assertThat(pool.closeAfterLoss()).isZero();
    assertThat(rig.engine.census()).hasToString("1 DEVICE");
  }

  @Test
  void sizesThatAreNoneAreRefused() {
    assertThatThrownBy(() -> open(0, 100)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> open(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> open(-1, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPoolMayExceedTwoGibibytes() {
    try (BufferPool pool = open(3, 1 << 30)) {
      Buffer buffer = Objects.requireNonNull(lastOf(pool));
      buffer.bytes().put((1 << 30) - 1, (byte) 9);
      buffer.release();
    }
  }

  private static @Nullable Buffer lastOf(BufferPool pool) {
    Rig.lease(pool).release();
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    Buffer third = pool.lease();
    first.release();
    second.release();
    return third;
  }

  @Test
  void eightThreadsNeverHoldTheSameBuffer() {
    int threads = 8;
    int rounds = 20_000;
    int count = 5;
    try (BufferPool pool = open(count, 64)) {
      AtomicIntegerArray holders = new AtomicIntegerArray(count);
      AtomicInteger held = new AtomicInteger();
      AtomicInteger leases = new AtomicInteger();
      OnThread workers = new OnThread();
      for (int i = 0; i < threads; i++) {
        workers.start(
            "worker-" + i,
            () -> {
              for (int round = 0; round < rounds; round++) {
                Buffer buffer = pool.lease();
                if (buffer == null) {
                  Thread.onSpinWait();
                  continue;
                }
                assertThat(holders.incrementAndGet(buffer.index())).isEqualTo(1);
                assertThat(held.incrementAndGet()).isLessThanOrEqualTo(count);
                buffer.bytes().putInt(0, round);
                assertThat(buffer.bytes().getInt(0)).isEqualTo(round);
                leases.incrementAndGet();
                held.decrementAndGet();
                holders.decrementAndGet(buffer.index());
                buffer.release();
              }
            });
      }
      assertThat(workers.join()).isNull();
      assertThat(leases.get()).isPositive();
      assertThat(pool.available()).isEqualTo(count);
    }
  }
}
