package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;

/** Tests that pools in the heap behave like those of an engine. */
class HeapBuffersTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final BufferPool pool = HeapBuffers.pool(2, 100);

  @Test
  void buffersAreSeparateWindows() {
    Buffer first = lease(pool);
    Buffer second = lease(pool);
    first.bytes().put((byte) 1);
    assertThat(second.bytes().get(0)).isZero();
    assertThat(first.bytes().capacity()).isEqualTo(100);
    assertThat(first.bytes().order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(first.bytes().isDirect()).isFalse();
    assertThat(second.address() - first.address()).isEqualTo(100);
    assertThat(second).hasToString("buffer 1");
    assertThat(pool).hasToString("buffer pool of 2 x 100 bytes");
  }

  @Test
  void aLeaseEndsOnceAndTheNextOneBeginsEmpty() {
    Buffer buffer = lease(pool);
    buffer.length(7);
    buffer.bytes().position(7);
    buffer.release();
    assertThatIllegalStateException().isThrownBy(buffer::release).withMessageContaining("release");
    assertThatIllegalStateException().isThrownBy(buffer::bytes);
    lease(pool);
    Buffer again = lease(pool);
    assertThat(again).isSameAs(buffer);
    assertThat(again.length()).isZero();
    assertThat(again.bytes().position()).isZero();
  }

  @Test
  void anExhaustedPoolReturnsNullAndAWaiterGetsTheNextBuffer() {
    Buffer first = lease(pool);
    lease(pool);
    assertThat(pool.lease()).isNull();
    CompletableFuture<Buffer> later = pool.leaseWithin(LIMIT).toCompletableFuture();
    assertThat(later).isNotDone();
    first.release();
    assertThat(later).isCompletedWithValue(first);
  }

  @Test
  void aPoolClosesWithoutLeasesOnly() {
    Buffer buffer = lease(pool);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessageEndingWith("still leased: 0");
    assertThat(pool.memory().census()).hasToString("1 BUFFER_POOL, 1 LEASE");
    buffer.release();
    pool.close();
    assertThat(pool.memory().census().isEmpty()).isTrue();
    assertThatIllegalStateException().isThrownBy(pool::lease).withMessageContaining("closed");
  }

  @Test
  void aScopeReturnsTheLeasesOfItsHolder() {
    var scope = pool.scope("holder");
    scope.lease();
    assertThat(pool.available()).isEqualTo(1);
    scope.end();
    assertThat(pool.available()).isEqualTo(2);
  }

  @Test
  void aPairHasBothSizes() {
    TaskBuffers buffers = HeapBuffers.pairs(BufferOptions.of(1, 10, 20));
    Pair pair = requireNonNull(buffers.lease());
    assertThat(pair.src().capacity()).isEqualTo(10);
    assertThat(pair.dst().capacity()).isEqualTo(20);
    assertThat(buffers.lease()).isNull();
    pair.release();
    assertThat(buffers.available()).isEqualTo(1);
  }

  @Test
  void chainsAreReadAndWrittenAsOneBuffer() {
    ActorTestKit kit = ActorTestKit.create();
    try {
      ScriptedContext<DmaProtocol.Command> dma = ScriptedContext.dma(kit);
      BufferPool parts = HeapBuffers.pool(4, 3);
      Buffer src = lease(parts);
      Buffer dst = lease(parts);
      src.append(lease(parts));
      dst.append(lease(parts));
      src.bytes().put(new byte[] {1, 2});
      src.length(2);
      src.following().get(0).bytes().put(new byte[] {3, 4, 5});
      src.following().get(0).length(3);
      TestProbe<TaskReply> replies = kit.createTestProbe();
      dma.ref().tell(new Copy(src, dst, replies.getRef()));
      replies.expectMessageClass(Completed.class);
      assertThat(dst.length()).isEqualTo(3);
      assertThat(dst.totalLength()).isEqualTo(5);
      assertThat(dst.bytes().get(2)).isEqualTo((byte) 3);
      assertThat(dst.following().get(0).bytes().get(1)).isEqualTo((byte) 5);
      src.release();
      dst.release();
      assertThat(parts.available()).isEqualTo(4);
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void heapMemoryIsInvisibleToDevices() {
    assertThatThrownBy(pool::export)
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("DOCA_ERROR_NOT_PERMITTED");
    assertThatIllegalArgumentException().isThrownBy(() -> HeapBuffers.pool(0, 1));
  }
}
