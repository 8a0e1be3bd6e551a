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

/** Tests that requests of one order keep their order, and that the orders take turns. */
@ExtendWith(CleanLog.class)
class WaitingRequestsTest {
  private static final LaneSettings SETTINGS = new LaneSettings(1, 64, 1_000, 10);

  private final WaitingRequests<String> waiting = new WaitingRequests<>(SETTINGS, new Named());
  private final List<String> taken = new ArrayList<>();
  private int room;

  @Test
  void ordersTakeTurns() {
    add("a1", "a2", "a3", "b1", "b2", "b3", "c1");
    handOn(5);
    assertThat(taken).containsExactly("a1", "b1", "c1", "a2", "b2");
    handOn(5);
    assertThat(taken).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "b3");
    assertThat(waiting.size()).isZero();
  }

  @Test
  void anOrderWithManyRequestsDoesNotKeepAnotherWaiting() {
    for (int i = 0; i < 10; i++) {
      add("a" + i);
    }
    add("b1");
    for (int i = 0; i < 3; i++) {
      handOn(1);
    }
    assertThat(taken).contains("b1").hasSize(3);
  }

  private void add(String... requests) {
    for (String request : requests) {
      waiting.add(new Pending<>(request, waiting.size(), 1_000));
    }
  }

  private void handOn(int free) {
    room = free;
    waiting.submit(0, this::take);
  }

  private boolean take(String request, long sequence, long deadlineNs) {
    if (room == 0) {
      return false;
    }
    room--;
    taken.add(request);
    return true;
  }

  /** Requests whose letter is their order. */
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
