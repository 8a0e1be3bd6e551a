package io.dpuactors.node;

import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.RecordType;
import io.dpuactors.loop.EngineLog;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers records to the lanes (tasks) and nodes (states, events) of their user data. An exception
 * fails only the receiver. Engine's thread.
 */
final class RecordDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(RecordDelivery.class);

  private final EngineNodes nodes;
  private final TaskTable tasks;
  private final Function<Supplier<Logger>, EngineLog> log;
  private long late;

  RecordDelivery(EngineNodes nodes, TaskTable tasks, Function<Supplier<Logger>, EngineLog> log) {
    this.nodes = nodes;
    this.tasks = tasks;
    this.log = log;
  }

  /** Returns the number of completions for tasks that no longer exist. */
  long late() {
    return late;
  }

  void deliver(CompletionRing record) {
    switch (record.type()) {
      case TASK_DONE, TASK_FAILED, REFUSED -> onTask(record);
      default -> onContext(record);
    }
  }

  private void onContext(CompletionRing record) {
    if (nodes.find(record.userData()) instanceof ContextNode<?> node) {
      try {
        if (record.type() == RecordType.CONTEXT_STATE) {
          node.onState(record.nextState());
        } else {
          node.onEvent(record);
        }
      } catch (RuntimeException e) {
        node.fail(e);
      }
    }
  }

  private void onTask(CompletionRing record) {
    TaskSlot slot = tasks.find(record.userData());
    TaskLane<?> lane = slot == null ? null : slot.lane;
    if (slot == null || lane == null) {
      late++;
      log.apply(() -> LOG)
          .debug("dropped a completion of an unknown task: user data {}", record.userData());
      return;
    }
    Node node = lane.node();
    if (record.type() == RecordType.REFUSED && node != null) {
      node.look(); // before the answer, which then has the reason of the stop
    }
    try {
      boolean hasFailed = lane.onRecord(slot, record);
      // In other contexts, messages that preceded the stop may follow this record.
      if (hasFailed && node instanceof ContextNode<?> context && context.load() == lane) {
        context.look();
      }
    } catch (RuntimeException e) {
      if (node == null) {
        throw e;
      }
      node.fail(e);
    }
  }
}
