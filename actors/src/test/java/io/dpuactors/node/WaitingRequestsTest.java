package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.node.OrderedQueue.Pending;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that requests of one ordering key keep their order, and that the keys take turns. */
@ExtendWith(CleanLog.class)
class WaitingRequestsTest {
  private final WaitingRequests<String> waiting = new WaitingRequests<>(new Named());
  private final List<String> taken = new ArrayList<>();
  private int room;

  @Test
  void keysTakeTurns() {
    add("a1", "a2", "a3", "b1", "b2", "b3", "c1");
    submit(5);
    assertThat(taken).containsExactly("a1", "b1", "c1", "a2", "b2");
    submit(5);
    assertThat(taken).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "b3");
    assertThat(waiting.size()).isZero();
  }

  @Test
  void aKeyWithManyRequestsDoesNotKeepAnotherWaiting() {
    for (int i = 0; i < 10; i++) {
      add("a" + i);
    }
    add("b1");
    for (int i = 0; i < 3; i++) {
      submit(1);
    }
    assertThat(taken).contains("b1").hasSize(3);
  }

  /** The bridge has returned the youngest requests of a refused key. */
  @Test
  void aRefusedKeyIsBlockedUntilOneOfItsRequestsLeavesTheBridge() {
    add("a4", "b1");
    waiting.putBack(new Pending<>("a3", 1_000));
    waiting.putBack(new Pending<>("a2", 1_000));
    assertThat(waiting.hasOther("a1")).isTrue();
    assertThat(waiting.hasOther("b1")).as("a is blocked").isFalse();
    submit(5);
    assertThat(taken).containsExactly("b1");
    waiting.unblock("b0");
    submit(5);
    assertThat(taken).containsExactly("b1");
    waiting.unblock("a1");
    submit(5);
    assertThat(taken).containsExactly("b1", "a2", "a3", "a4");
  }

  @Test
  void theNextTurnIsPlannedForTheFirstDeadlineAndWhileARequestIsReady() {
    NextTurn next = new NextTurn();
    next.clear(0);
    assertThat(waiting.plan(next)).as("nothing waits").isFalse();
    assertThat(next.isNever()).isTrue();
    waiting.putBack(new Pending<>("a1", 500));
    assertThat(waiting.plan(next)).as("a is blocked").isFalse();
    add("b1");
    assertThat(waiting.plan(next)).as("b is ready").isTrue();
    assertThat(next.timeNs()).isEqualTo(500);
  }

  @Test
  void clearReturnsEveryRequestOfEveryKey() {
    add("a1", "b1", "a2");
    assertThat(waiting.size()).isEqualTo(3);
    assertThat(waiting.isFree("a3")).as("older requests of a wait").isFalse();
    assertThat(waiting.isFree("c1")).isTrue();
    waiting.clear(taken::add);
    assertThat(taken).containsExactlyInAnyOrder("a1", "a2", "b1");
    assertThat(waiting.size()).isZero();
    submit(5);
    assertThat(taken).hasSize(3);
    assertThat(waiting.isEmpty()).isTrue();
  }

  private void add(String... requests) {
    for (String request : requests) {
      waiting.add(new Pending<>(request, 1_000));
    }
  }

  private void submit(int free) {
    room = free;
    waiting.submit(this::take);
  }

  private boolean take(String request, long deadlineNs) {
    if (room == 0) {
      return false;
    }
    room--;
    taken.add(request);
    return true;
  }

  /** Requests whose letter is their ordering key. */
  private static final class Named implements Requests<String> {
    @Override
    public TaskKind kind(String request) {
      return TaskKind.COMCH_PRODUCER_SEND;
    }

    @Override
    public int order(String request) {
      return request.charAt(0);
    }

    @Override
    public String about(String request) {
      return request;
    }

    @Override
    public @Nullable DocaError unusable(String request) {
      return null;
    }

    @Override
    public @Nullable DocaError refusal(String request) {
      return null;
    }

    @Override
    public boolean offer(String request, EngineCore core, TaskSlot slot, int context) {
      return false;
    }

    @Override
    public void completed(String request, CompletionRing record) {}

    @Override
    public void failed(String request, DocaError error, Ownership ownership) {}

    @Override
    public void busy(String request, int waiting) {}
  }
}
