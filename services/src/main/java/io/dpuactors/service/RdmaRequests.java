package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The requests of one run: single tasks, or batches of them. Request {@code i} uses the slots from
 * {@code i * tasks}. Engine's thread.
 */
final class RdmaRequests {
  /** Tag of messages without a slot. */
  static final long CONTROL = -1;

  private final ActorRef<RdmaConnectionProtocol.Command> connection;
  private final ActorRef<Reply> replies;
  private final ActorRef<BatchReply> batchReplies;
  private final RdmaSlots slots;
  private final int tasks;
  private final List<TaskBatch> batches = new ArrayList<>();
  private TaskKind kind = TaskKind.RDMA_WRITE;

  /**
   * Creates requests.
   *
   * @param tasks of each request; 1: no batches
   */
  RdmaRequests(
      ActorRef<RdmaConnectionProtocol.Command> connection,
      ActorRef<Reply> replies,
      ActorRef<BatchReply> batchReplies,
      RdmaSlots slots,
      int tasks) {
    this.connection = connection;
    this.replies = replies;
    this.batchReplies = batchReplies;
    this.slots = slots;
    this.tasks = tasks;
  }

  /** Prepares requests of this kind. No request is in flight. */
  void prepare(TaskKind next, int requests) {
    if (next == kind && !batches.isEmpty()) {
      return;
    }
    close();
    kind = next;
    for (int i = 0; tasks > 1 && i < requests; i++) {
      batches.add(batch(i));
    }
  }

  private TaskBatch batch(int request) {
    List<Buffer> local = slotsOf(request).mapToObj(slots::local).toList();
    if (kind == TaskKind.RDMA_SEND) {
      return TaskBatch.ofSends(local);
    }
    List<Buffer> remote = slotsOf(request).mapToObj(slots::remote).toList();
    return kind == TaskKind.RDMA_READ ? TaskBatch.of(remote, local) : TaskBatch.of(local, remote);
  }

  private IntStream slotsOf(int request) {
    return IntStream.range(request * tasks, (request + 1) * tasks);
  }

  /** Sends a request. */
  void send(int request) {
    if (batches.isEmpty()) {
      PeerRequest task = task(request);
      slots.lend(request);
      connection.tell(task);
      return;
    }
    slotsOf(request).forEach(slots::lend);
    connection.tell(new Batch(kind, batches.get(request), request, batchReplies));
  }

  private PeerRequest task(int slot) {
    return switch (kind) {
      case RDMA_WRITE -> new Write(slots.local(slot), slots.remote(slot), slot, replies);
      case RDMA_READ -> new Read(slots.remote(slot), slots.local(slot), slot, replies);
      case RDMA_SEND -> new Send(slots.local(slot), slot, replies);
      case RDMA_FETCH_AND_ADD ->
          new FetchAndAdd(slots.remote(slot), slots.local(slot), 1, slot, replies);
      default -> throw new IllegalStateException("no task of " + kind);
    };
  }

  /** Sends a message without content. */
  void control(int immediate) {
    connection.tell(new Send(null, OptionalInt.of(immediate), CONTROL, replies));
  }

  /** Notes that the buffers of a request have returned. */
  void returned(int request) {
    slotsOf(request).forEach(slots::returned);
  }

  /** Returns the sum of the CRC-32C of a request's local buffers. */
  long crc(int request) {
    return slotsOf(request).mapToLong(slots::crc).sum();
  }

  /** Returns the number of tasks of each request. */
  int tasks() {
    return tasks;
  }

  /** Closes the batches. No request is in flight. */
  void close() {
    batches.forEach(TaskBatch::close);
    batches.clear();
  }

  /** Abandons the batches that run, and closes the others. */
  void abandon() {
    for (int i = 0; i < batches.size(); i++) {
      if (slots.isLent(i * tasks)) {
        batches.get(i).retain();
      } else {
        batches.get(i).close();
      }
    }
    batches.clear();
  }
}
