package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a turn of the engine visits only the nodes with work. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class AgendaTest {
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);

  private final List<ContextNode<Counting>> nodes = new ArrayList<>();
  private ManualEngine engine;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(2);
  }

  @AfterEach
  void close() {
    nodes.forEach(ContextNode::stop);
    engine.settle();
    engine.close();
  }

  @Test
  void aContextThatRunsAndHasNothingToDoTakesNoTurn() {
    running(20);
    Counting busy = nodes.get(7).load();
    busy.needsEach = true;
    nodes.get(7).schedule();
    for (int i = 0; i < 100; i++) {
      engine.turn();
    }
    assertThat(busy.turns).isEqualTo(100);
    assertThat(nodes).filteredOn(node -> node.load() != busy).allMatch(n -> n.load().turns == 0);
    assertThat(engine.core.isAtRest()).isFalse();
    busy.needsEach = false;
    engine.turn();
    assertThat(engine.core.isAtRest()).isTrue();
  }

  @Test
  void aNodeHasItsTurnWhenItsTimeComes() {
    running(3);
    long wantedNs = engine.core.nowNs() + ManualEngine.SECOND;
    Counting load = nodes.get(1).load();
    load.wantedNs = wantedNs;
    nodes.get(1).schedule();
    engine.turn();
    load.turns = 0;
    assertThat(engine.core.untilDueNs(5 * ManualEngine.SECOND)).isEqualTo(ManualEngine.SECOND);
    engine.advance(ManualEngine.SECOND - 1);
    engine.turn();
    assertThat(load.turns).isZero();
    engine.advance(1);
    load.wantedNs = 0;
    engine.turn();
    assertThat(load.turns).isEqualTo(1);
    assertThat(engine.core.isAtRest()).isTrue();
  }

  @Test
  void aNodeWokenByAnotherNodeRunsBeforeTheLoopSleeps() {
    running(2);
    nodes.get(0).load().wakes = nodes.get(1);
    nodes.get(0).schedule();
    assertThat(engine.turn()).isPositive();
    assertThat(nodes.get(1).load().turns).isZero();
    engine.turn();
    assertThat(nodes.get(1).load().turns).isEqualTo(1);
  }

  /** The loop catches an Error and runs the next turn: the other nodes have theirs then. */
  @Test
  void anErrorInTheTurnOfOneNodeLeavesNoOtherNodeWithoutItsTurn() {
    running(3);
    nodes.get(0).load().errors = 2;
    nodes.forEach(Node::schedule);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(engine::turn).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(nodes).extracting(node -> node.load().turns).containsExactly(2, 1, 1);
    engine.turn();
    assertThat(nodes).extracting(node -> node.load().turns).containsExactly(3, 1, 1);
    assertThat(engine.core.isAtRest()).isTrue();
  }

  @Test
  void timersFireInOrderAlthoughEntriesChange() {
    running(50);
    DeadlineHeap heap = new DeadlineHeap();
    List<Node> in = new ArrayList<>();
    Random random = new Random(14);
    for (int i = 0; i < 5_000; i++) {
      Node node = nodes.get(random.nextInt(nodes.size()));
      if (random.nextInt(3) == 0) {
        heap.remove(node);
        in.remove(node);
      } else {
        // times around the overflow of a long, as the clock may return them
        heap.put(node, Long.MAX_VALUE - 500 + random.nextInt(1_000));
        in.remove(node);
        in.add(node);
      }
      assertThat(heap.isEmpty()).isEqualTo(in.isEmpty());
      if (!in.isEmpty()) {
        assertThat(heap.firstNs())
            .isEqualTo(
                in.stream()
                    .min(Comparator.comparing(n -> n.dueNs - Long.MAX_VALUE))
                    .orElseThrow()
                    .dueNs);
      }
    }
    in.forEach(heap::remove);
    assertThat(heap.isEmpty()).isTrue();
  }

  private void running(int count) {
    for (int i = 0; i < count; i++) {
      String name = "context-" + i;
      nodes.add(
          engine.core.openContext(
              name, new Counting(), TIMES, engine::opener, engine.recorder(name), 0));
    }
    engine.settle();
    assertThat(engine.events).hasSize(count);
    nodes.forEach(node -> node.load().turns = 0);
  }

  /** A load without requests that counts its turns. */
  private static final class Counting implements ContextLoad {
    private int turns;
    private int errors;
    private boolean needsEach;
    private long wantedNs;
    private @Nullable Node wakes;

    @Override
    public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {}

    @Override
    public void close(DocaError reason) {
      needsEach = false;
    }

    @Override
    public int inFlight() {
      return 0;
    }

    @Override
    public void turn(long nowNs, NextTurn next) {
      turns++;
      if (errors > 0) {
        errors--;
        throw new OutOfMemoryError("on purpose");
      }
      if (needsEach) {
        next.inEach();
      }
      if (wantedNs != 0) {
        next.at(wantedNs);
      }
      if (wakes != null) {
        wakes.schedule();
        wakes = null;
      }
    }

    @Override
    public void expireAll() {}
  }
}
