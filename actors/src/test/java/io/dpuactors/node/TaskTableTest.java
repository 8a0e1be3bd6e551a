package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.testing.CleanLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that user data identifies a task until its end, and that each owner has reserved slots. */
@ExtendWith(CleanLog.class)
class TaskTableTest {
  private final TaskTable table = new TaskTable(600);

  @Test
  void theUserDataOfATaskNamesNothingOnceItIsGone() {
    TaskBudget budget = table.reserve("one", 1);
    TaskSlot first = acquired(budget);
    long gone = first.userData();
    assertThat(table.find(gone)).isSameAs(first);
    budget.release(first);
    assertThat(table.find(gone)).isNull();
    TaskSlot second = acquired(budget);
    assertThat(second).as("the only slot").isSameAs(first);
    assertThat(table.find(gone)).as("the task that is gone").isNull();
    assertThat(table.find(second.userData())).isSameAs(second);
  }

  @Test
  void anExhaustedBudgetDoesNotAffectOtherBudgets() {
    TaskBudget large = table.reserve("large", 400);
    TaskBudget other = table.reserve("other", 200);
    List<TaskSlot> taken = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      taken.add(acquired(large));
    }
    assertThat(large.acquire(1)).isNull();
    assertThat(acquired(other)).isNotIn(taken);
    assertThat(table.inUse()).isEqualTo(401);
    large.release(taken.get(7));
    assertThat(large.acquire(1)).isNotNull();
  }

  /** The slot of a batch takes what is left, and frees it, also after the end of its context. */
  @Test
  void aSlotOfManyTasksTakesAsManyOfTheBudget() {
    TaskBudget budget = table.reserve("batches", 10);
    TaskSlot seven = Objects.requireNonNull(budget.acquire(7));
    TaskSlot rest = Objects.requireNonNull(budget.acquire(7));
    assertThat(List.of(seven.held, rest.held)).containsExactly(7, 3);
    assertThat(budget.acquire(1)).isNull();
    budget.release(seven);
    assertThat(Objects.requireNonNull(budget.acquire(10)).held).isEqualTo(7);
    budget.close();
    budget.release(rest);
    assertThat(table.reserve("others", 600 - 7)).isNotNull();
  }

  @Test
  void anOpenThatCannotFitNamesTheExhaustedResource() {
    TaskBudget first = table.reserve("first", 500);
    assertThatThrownBy(() -> table.reserve("second", 101))
        .isInstanceOfSatisfying(
            DocaException.class, e -> assertThat(e.error().code()).isEqualTo(DocaCode.NO_MEMORY))
        .hasMessageContaining("second needs 101 task slots, and 100 of the engine's 600 are free")
        .hasMessageContaining("dpu.engine.completion-ring");
    table.reserve("third", 100);
    first.close();
    assertThat(table.reserve("second", 101)).isNotNull();
  }

  @Test
  void slotsThatAreStillInUseWhenTheirContextIsGoneAreFreeLater() {
    TaskBudget first = table.reserve("first", 600);
    TaskSlot late = acquired(first);
    first.close();
    assertThatThrownBy(() -> table.reserve("second", 600)).isInstanceOf(DocaException.class);
    first.release(late);
    assertThat(table.reserve("second", 600)).isNotNull();
  }

  @Test
  void theDefaultsCarryEveryConnectionOfAServerWithAConsumerAndAProducer() {
    var config = ConfigFactory.load();
    int connections = config.getInt("dpu.comch.server.max-connections");
    TaskTable whole = new TaskTable(EngineSettings.from(config).taskSlots());
    whole.reserve("server", new Credit(config.getInt("dpu.comch.server.send-tasks"), 1024).most());
    for (int i = 0; i < connections; i++) {
      for (String data : List.of("consumer", "producer")) {
        int window = config.getInt("dpu.comch." + data + ".window");
        int queue = config.getInt("dpu.comch." + data + ".queue");
        whole.reserve(data, new Credit(window, queue).most());
      }
    }
    assertThat(connections).isEqualTo(512);
  }

  @Test
  void tasksOfALaneAreKeptByDeadline() {
    TaskList list = new TaskList();
    TaskBudget budget = table.reserve("one", 8);
    for (long deadline : new long[] {10, 30, 20, 40, 5}) {
      TaskSlot slot = acquired(budget);
      slot.deadlineNs = deadline;
      list.add(slot);
    }
    assertThat(list.copy())
        .extracting(slot -> slot.deadlineNs)
        .containsExactly(5L, 10L, 20L, 30L, 40L);
    list.remove(list.copy().get(2));
    list.remove(Objects.requireNonNull(list.first()));
    list.remove(list.copy().get(2));
    assertThat(list.copy()).extracting(slot -> slot.deadlineNs).containsExactly(10L, 30L);
  }

  private static TaskSlot acquired(TaskBudget budget) {
    return Objects.requireNonNull(budget.acquire(1));
  }
}
