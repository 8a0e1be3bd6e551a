package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.DeviceRequest;
import org.jspecify.annotations.Nullable;

/** Buffers that a consumer posts, one by one or in batches. */
final class PostRequests extends BufferRequests<Post> {
  private final BufferPool memory;

  /**
   * Creates the requests of one consumer.
   *
   * @param consumer name for errors
   * @param memory pool of the consumer's creation; DOCA accepts no other
   */
  PostRequests(String consumer, BufferPool memory) {
    super(consumer, "doca_comch_consumer_task_post_recv", Post.class);
    this.memory = memory;
  }

  /**
   * A consumer runs when the peer has been notified of it. If the consumer never runs, the
   * connection is lost.
   */
  @Override
  public DocaCode endCode(boolean hasRun) {
    return hasRun ? DocaCode.UNEXPECTED : DocaCode.CONNECTION_ABORTED;
  }

  @Override
  String describe(Post task) {
    return "post of %d bytes".formatted(task.dst().capacity());
  }

  @Override
  @Nullable DocaError unusableTask(Post task) {
    return unusable(task, task.dst());
  }

  @Override
  @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
    return unusable(request, batch.destinations().get(0)); // all are of one pool
  }

  /** The peer determines the length of the data, and the device knows no end of an aimed buffer. */
  private @Nullable DocaError unusable(DeviceRequest request, Buffer dst) {
    if (dst.pool() != memory) {
      return invalid(request, "the buffer belongs to another pool");
    }
    return dst.isAimed() ? invalid(request, "an aimed buffer cannot be posted") : null;
  }

  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    return null;
  }

  @Override
  boolean offerTask(Post task, EngineCore core, TaskSlot slot, int handle) {
    return core.submissions()
        .offer(slot.userData(), handle, TaskKind.COMCH_CONSUMER_RECV, null, task.dst(), 0);
  }

  @Override
  void answer(Post task, CompletionRing record) {
    task.filled(record.producer(), record.immediate());
  }
}
