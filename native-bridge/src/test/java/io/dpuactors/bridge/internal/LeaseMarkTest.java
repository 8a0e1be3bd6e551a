package io.dpuactors.bridge.internal;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseMark;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskBatch;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which leases of a holder return when the holder restarts. */
class LeaseMarkTest {
  private static final int BUFFERS = 4;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(BUFFERS, 100);
  private final LeaseScope scope = pool.scope("holder");

  @AfterEach
  void end() {
    assertThat(pool.available()).isEqualTo(BUFFERS);
    rig.close();
  }

  private Buffer leased() {
    return Objects.requireNonNull(scope.lease());
  }

  private Buffer chain() {
    Buffer head = leased();
    head.append(leased());
    return head;
  }

  private static void answer(Buffer head) {
    assertThat(head.take("context")).isTrue();
    head.returnTaken();
    head.sentIn(new Object());
  }

  private static void assertKept(Buffer head) {
    assertThat(head.isLeased()).isTrue();
    assertThat(head.following()).allMatch(Buffer::isLeased);
  }

  /** The holder restarts while an answer that carries the chain is on its way. */
  @Test
  void aRestartKeepsTheChainOfAnAnswer() {
    Buffer head = chain();
    answer(head);
    scope.releaseMarked(pool.mark());
    assertKept(head);
    head.release();
  }

  /** The request waits for its context at the restart. Its answer comes before the marker. */
  @Test
  void aRestartKeepsTheChainOfARequest() {
    Buffer head = chain();
    LeaseMark mark = pool.mark();
    answer(head);
    scope.releaseMarked(mark);
    assertKept(head);
    head.release();
  }

  @Test
  void aRestartReturnsBatchesThatShareABuffer() {
    Buffer shared = leased();
    TaskBatch.of(List.of(leased()), List.of(shared));
    TaskBatch.of(List.of(shared), List.of(leased()));
    scope.releaseMarked(pool.mark());
    assertThat(pool.available()).isEqualTo(BUFFERS);
  }

  @Test
  void aRestartReturnsABatchThatReadsABufferTwice() {
    TaskBatch.of(nCopies(2, leased()), nCopies(2, leased()));
    scope.releaseMarked(pool.mark());
    assertThat(pool.available()).isEqualTo(BUFFERS);
  }

  /** The holder receives the answer of the run, and closes the batch. */
  @Test
  void aRestartKeepsARunningBatchAndItsBuffers() {
    Buffer free = leased();
    Buffer shared = leased();
    Buffer last = leased();
    TaskBatch.of(List.of(free), List.of(shared));
    TaskBatch running = TaskBatch.of(List.of(shared), List.of(last));
    assertThat(running.begin()).isTrue();
    scope.releaseMarked(pool.mark());
    assertThat(free.isLeased()).isFalse();
    assertThat(shared.isLeased()).isTrue();
    assertThat(last.isLeased()).isTrue();
    running.end();
    running.close();
    shared.release();
    last.release();
  }

  @Test
  void aRestartReturnsAChainInHand() {
    chain();
    scope.releaseMarked(pool.mark());
    assertThat(pool.available()).isEqualTo(BUFFERS);
  }
}
