package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.node.OrderedQueue.Pending;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a refusal blocks the requests of one ordering key, and keeps their order. */
class OrderedQueueTest {
  private static final long DELAY_NS = 10;

  private final OrderedQueue<String> queue =
      new OrderedQueue<>(new LaneSettings(1, 64, 1_000, DELAY_NS));
  private final NextTurn next = new NextTurn();

  @BeforeEach
  void clear() {
    next.clear(0);
  }

  private static Pending<String> pending(String request, long sequence) {
    return new Pending<>(request, sequence, 1_000 + sequence);
  }

  private void assertNext(long nowNs, String request) {
    Pending<String> polled = queue.poll(nowNs);
    assertThat(polled).isNotNull();
    assertThat(polled.request()).isEqualTo(request);
  }

  @Test
  void aRefusalBlocksTheQueueForTheDelay() {
    queue.add(pending("second", 2));
    queue.refuse(pending("first", 1), 5);

    assertThat(queue.poll(5 + DELAY_NS - 1)).isNull();
    assertThat(queue.isDue(5 + DELAY_NS - 1)).isFalse();
    assertThat(queue.plan(5, next)).isTrue();
    assertThat(next.timeNs()).isEqualTo(5 + DELAY_NS);
    assertThat(queue.isDue(5 + DELAY_NS)).isTrue();
    assertThat(queue.plan(5 + DELAY_NS, next)).isFalse();
    assertNext(5 + DELAY_NS, "first");
    assertNext(5 + DELAY_NS, "second");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aSuccessEndsTheBlock() {
    queue.refuse(pending("first", 1), 5);
    queue.succeeded(6);

    assertThat(queue.isDue(6)).isTrue();
    assertNext(6, "first");
  }

  @Test
  void refusedRequestsKeepTheirOrder() {
    queue.add(pending("fourth", 4));
    queue.refuse(pending("second", 2), 0);
    queue.refuse(pending("third", 3), 0);
    queue.refuse(pending("first", 1), 0);

    for (String request : new String[] {"first", "second", "third", "fourth"}) {
      assertNext(DELAY_NS, request);
    }
  }

  /** A request that was refused again precedes those that were refused with it. */
  @Test
  void anotherRefusalBlocksTheRestAgain() {
    queue.refuse(pending("first", 1), 0);
    queue.refuse(pending("second", 2), 0);
    Pending<String> first = queue.poll(DELAY_NS);
    assertThat(first).isNotNull();
    queue.refuse(first, DELAY_NS);

    assertThat(queue.poll(DELAY_NS)).isNull();
    assertNext(2 * DELAY_NS, "first");
    assertNext(2 * DELAY_NS, "second");
  }

  @Test
  void requestsWithoutARefusalAreNotBlocked() {
    queue.add(pending("first", 1));

    assertThat(queue.isDue(0)).isFalse();
    assertThat(queue.plan(0, next)).isFalse();
    assertThat(next.timeNs()).isEqualTo(1_001);
    assertNext(0, "first");
  }
}
