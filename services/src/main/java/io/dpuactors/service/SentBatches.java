package io.dpuactors.service;

import io.dpuactors.bridge.TaskBatch;
import java.util.HashMap;
import java.util.Map;

/** Batches without a reply, for the present consumer of a client or an earlier one. */
final class SentBatches {
  /** Index of the first block of each batch. */
  private final Map<TaskBatch, Integer> firstBlocks = new HashMap<>();

  void add(TaskBatch batch, int firstBlock) {
    firstBlocks.put(batch, firstBlock);
  }

  /**
   * Removes a batch after its reply. Returns the index of its first block.
   *
   * @throws IllegalStateException if the batch was not added
   */
  int remove(TaskBatch batch) {
    Integer firstBlock = firstBlocks.remove(batch);
    if (firstBlock == null) {
      throw new IllegalStateException(batch + " was not sent");
    }
    return firstBlock;
  }

  int size() {
    return firstBlocks.size();
  }

  /** Returns the number of ended tasks of all batches. */
  long ended() {
    return firstBlocks.keySet().stream().mapToLong(each -> each.results().ended()).sum();
  }
}
