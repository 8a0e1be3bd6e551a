package io.dpuactors.bridge.internal;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the holders of leases, and that every lease returns to its pool. */
class LeaseTest {
  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(4, 100);

  @AfterEach
  void end() {
    rig.close();
  }

  @Test
  void leasedBuffersAreNotInThePool() {
    Buffer buffer = Rig.lease(pool);
    assertThat(buffer.lend()).isTrue();
    assertThat(buffer.isLent()).isTrue();
    assertThatThrownBy(buffer::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("release: buffer 0 is lent to a context");
    assertThatThrownBy(() -> buffer.length(1)).hasMessage("length: buffer 0 is lent to a context");
    buffer.written(7);
    assertThat(buffer.length()).isEqualTo(7);
    buffer.returnLoan();
    assertThat(buffer.isLent()).isFalse();
    buffer.length(1);
    buffer.release();
    assertThat(pool.available()).isEqualTo(4);
  }

  @Test
  void aBatchThatCannotBorrowABufferOftenEnoughBorrowsNone() {
    Buffer src = Rig.lease(pool);
    Buffer dst = Rig.lease(pool);
    int loans = 8191;
    assertThatThrownBy(() -> TaskBatch.of(nCopies(loans + 1, src), nCopies(loans + 1, dst)))
        .hasMessage("lend: lent 8191 times already");
    assertThat(src.isLent()).isFalse();
    TaskBatch batch = TaskBatch.of(nCopies(loans, src), nCopies(loans, dst));
    assertThatThrownBy(src::release).hasMessage("release: buffer 0 is lent to a context");
    batch.close();
    src.release();
    dst.release();
  }

  @Test
  void aBufferLentTwiceIsReturnedTwice() {
    Buffer buffer = Rig.lease(pool);
    assertThat(buffer.lend()).isTrue();
    assertThat(buffer.lend()).isTrue();
    buffer.returnLoan();
    assertThatThrownBy(buffer::release).hasMessageContaining("is lent");
    buffer.returnLoan();
    assertThatThrownBy(buffer::returnLoan).hasMessage("returnLoan: not lent");
    buffer.release();
    assertThat(buffer.lend()).as("without a holder").isFalse();
  }

  @Test
  void aRequestTakesItAloneAndABatchMayKeepIt() {
    Buffer buffer = Rig.lease(pool);
    assertThat(buffer.lend()).isTrue();
    assertThat(buffer.take("first")).isTrue();
    assertThat(buffer.take("second")).isFalse();
    assertThat(buffer.taker()).isEqualTo("first");
    buffer.returnTaken();
    assertThat(buffer.taker()).isNull();
    assertThatThrownBy(buffer::returnTaken).hasMessage("returnLoan: not lent");
    assertThat(buffer.take("second")).isTrue();
    buffer.returnTaken();
    buffer.returnLoan();
    buffer.release();
    assertThat(buffer.take("third")).as("without a holder").isFalse();
  }

  @Test
  void theBuffersOfAnUndeliveredMessageAreReleasedOnce() {
    Buffer buffer = Rig.lease(pool);
    Object message = new Object();
    buffer.sentIn(message);
    buffer.releaseIfSentIn(new Object());
    assertThat(buffer.isLeased()).isTrue();
    buffer.releaseIfSentIn(message);
    assertThat(pool.available()).isEqualTo(4);
    Buffer next = leasedAgain(buffer);
    buffer.releaseIfSentIn(message);
    assertThat(next.isLeased()).as("somebody else's lease").isTrue();
    next.release();
  }

  /**
   * The end of the holder's scope and the end of the request return the lease before the answer is
   * sent.
   */
  @Test
  void anAnswerDoesNotCarryALeaseThatHasEndedAlready() {
    LeaseScope scope = pool.scope("actor a");
    Buffer buffer = leased(scope);
    assertThat(buffer.take("context")).isTrue();
    scope.end();
    buffer.returnTaken();
    Buffer next = leasedAgain(buffer);
    Object message = new Object();
    buffer.sentIn(message);
    buffer.releaseIfSentIn(message);
    assertThat(next.isLeased()).as("somebody else's lease").isTrue();
    next.release();
  }

  /** A request that was answered at its deadline returns the lease without another message. */
  @Test
  void aMessageCarriesTheNextLeaseAfterALateReturn() {
    Buffer buffer = Rig.lease(pool);
    assertThat(buffer.take("context")).isTrue();
    buffer.releaseAfterTasks();
    buffer.returnTaken();
    Buffer next = leasedAgain(buffer);
    Object message = new Object();
    next.sentIn(message);
    next.releaseIfSentIn(message);
    assertThat(next.isLeased()).isFalse();
  }

  /** Leases until the pool returns this buffer, and releases the others. */
  private Buffer leasedAgain(Buffer wanted) {
    List<Buffer> others = new ArrayList<>();
    Buffer next = Rig.lease(pool);
    while (next != wanted) {
      others.add(next);
      next = Rig.lease(pool);
    }
    others.forEach(Buffer::release);
    return next;
  }

  @Test
  void aLeaseReleasedAfterItsTasksReturnsWithTheLastTask() {
    Buffer buffer = Rig.lease(pool);
    assertThat(buffer.lend()).isTrue();
    assertThat(buffer.lend()).isTrue();
    buffer.releaseAfterTasks();
    buffer.releaseAfterTasks();
    assertThat(buffer.isLeased()).isTrue();
    assertThat(buffer.lend()).as("its holder is gone").isFalse();
    assertThatThrownBy(buffer::bytes)
        .hasMessage("bytes: buffer 0 was released after its tasks, and a task has not ended");
    assertThatThrownBy(buffer::release).hasMessageContaining("was released after its tasks");
    buffer.written(3);
    buffer.returnLoan();
    assertThat(pool.available()).isEqualTo(3);
    buffer.returnLoan();
    assertThat(pool.available()).isEqualTo(4);
    assertThat(buffer.isLeased()).isFalse();
  }

  @Test
  void buffersWithoutLeaseReturnAtOnce() {
    Buffer buffer = Rig.lease(pool);
    buffer.releaseAfterTasks();
    assertThat(pool.available()).isEqualTo(4);
    buffer.releaseAfterTasks();
    assertThat(pool.available()).isEqualTo(4);
    assertThatThrownBy(buffer::release).hasMessage("release: buffer 0 is not leased");
  }

  @Test
  void aPoolWithALoanIsNotClosed() {
    BufferPool own = RegisteredPool.create(rig.engine, rig.device, 2, 64);
    Buffer buffer = Rig.lease(own);
    assertThat(buffer.lend()).isTrue();
    buffer.releaseAfterTasks();
    assertThatThrownBy(own::close)
        .hasMessage(
            "close: 1 buffers of the buffer pool of 2 x 64 bytes are still leased:"
                + " 0 (lent to a context)");
    buffer.returnLoan();
    own.close();
  }

  @Test
  void theEndOfAScopeReturnsWhatItsHolderHas() {
    LeaseScope scope = pool.scope("actor a");
    LeaseScope other = pool.scope("actor b");
    Buffer idle = leased(scope);
    Buffer lent = leased(scope);
    Buffer returned = leased(scope);
    Buffer others = leased(other);
    assertThat(scope.held()).isEqualTo(3);
    assertThat(lent.lend()).isTrue();
    returned.release();
    scope.end();
    assertThat(pool.available()).isEqualTo(2);
    assertThat(idle.isLeased()).isFalse();
    assertThat(scope.held()).isEqualTo(1);
    assertThatThrownBy(scope::lease).hasMessage("lease: leases of actor a has ended");
    lent.returnLoan();
    assertThat(pool.available()).isEqualTo(3);
    scope.end();
    assertThat(others.isLeased()).isTrue();
    others.release();
    assertThat(pool.available()).isEqualTo(4);
  }

  @Test
  void buffersHandedOverStayWhenTheFirstHolderEnds() {
    LeaseScope scope = pool.scope("actor a");
    LeaseScope receiver = pool.scope("actor b");
    Buffer free = leased(scope);
    Buffer adopted = leased(scope);
    free.handOver();
    receiver.adopt(adopted);
    scope.end();
    assertThat(pool.available()).isEqualTo(2);
    receiver.end();
    assertThat(pool.available()).isEqualTo(3);
    free.release();
    assertThatThrownBy(() -> receiver.adopt(adopted)).hasMessageContaining("has ended");
    assertThatThrownBy(free::handOver).hasMessage("hand over: buffer 0 is not leased");
    try (BufferPool elsewhere = RegisteredPool.create(rig.engine, rig.device, 1, 64)) {
      Buffer foreign = Rig.lease(elsewhere);
      assertThatThrownBy(() -> pool.scope("c").adopt(foreign))
          .isInstanceOf(IllegalArgumentException.class);
      foreign.release();
    }
  }

  /** Holders lease, lend, release and hand over on their threads while their scopes end. */
  @Test
  void noLeaseIsLostOrReturnedTwiceHoweverScopesEnd() {
    AtomicLong returned = new AtomicLong();
    try (BufferPool many = RegisteredPool.create(rig.engine, rig.device, 8, 64)) {
      for (int round = 0; round < 200; round++) {
        LeaseScope scope = many.scope("round " + round);
        ConcurrentLinkedQueue<Buffer> lent = new ConcurrentLinkedQueue<>();
        CyclicBarrier start = new CyclicBarrier(3);
        OnThread threads =
            new OnThread()
                .start("holder", () -> hold(scope, lent, start, returned))
                .start("context", () -> complete(scope, lent, start));
        Throwable thrown = threads.start("end", () -> await(start, scope::end)).join();
        assertThat(thrown).isNull();
        lent.forEach(Buffer::returnLoan);
        assertThat(many.available()).as("round %d", round).isEqualTo(8);
      }
    }
    assertThat(returned.get()).isPositive();
  }

  private static void await(CyclicBarrier start, Runnable then) throws Exception {
    start.await();
    then.run();
  }

  private static void hold(
      LeaseScope scope, ConcurrentLinkedQueue<Buffer> lent, CyclicBarrier start, AtomicLong count)
      throws Exception {
    start.await();
    try {
      for (int i = 0; ; i++) {
        Buffer buffer = scope.lease();
        if (buffer != null && i % 3 == 0 && buffer.lend()) {
          lent.add(buffer);
        } else if (buffer != null) {
          buffer.release();
          count.incrementAndGet();
        }
      }
    } catch (IllegalStateException ended) {
      assertThat(scope.isEnded()).isTrue();
    }
  }

  private static void complete(
      LeaseScope scope, ConcurrentLinkedQueue<Buffer> lent, CyclicBarrier start) throws Exception {
    start.await();
    while (!scope.isEnded() || !lent.isEmpty()) {
      Buffer buffer = lent.poll();
      if (buffer != null) {
        buffer.returnLoan();
        try {
          buffer.release();
        } catch (IllegalStateException e) {
          assertThat(scope.isEnded()).isTrue();
        }
      }
    }
  }

  private static Buffer leased(LeaseScope scope) {
    List<Buffer> one = new ArrayList<>();
    Buffer buffer = scope.lease();
    assertThat(buffer).isNotNull();
    one.add(buffer);
    return one.get(0);
  }
}
