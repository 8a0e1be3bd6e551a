package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConsumerProtocol.Filled;
import io.dpuactors.protocol.comch.ConsumerProtocol.Post;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostBusy;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostFailed;
import org.jspecify.annotations.Nullable;

/** Buffers that a consumer posts. */
final class PostRequests implements Requests<Post> {
  private final String consumer;
  private final BufferPool memory;

  /**
   * Of one consumer.
   *
   * @param consumer for errors
   * @param memory what it was created with: DOCA takes no other
   */
  PostRequests(String consumer, BufferPool memory) {
    this.consumer = consumer;
    this.memory = memory;
  }

  /** It runs as soon as the peer knows of it: one that never does has lost its peer. */
  @Override
  public DocaCode endCode(boolean hasRun) {
    return hasRun ? DocaCode.UNEXPECTED : DocaCode.CONNECTION_ABORTED;
  }

  @Override
  public TaskKind kind(Post request) {
    return TaskKind.COMCH_CONSUMER_RECV;
  }

  @Override
  public String about(Post request) {
    return "buffer of %d bytes for %s".formatted(request.dst().capacity(), consumer);
  }

  @Override
  public @Nullable DocaError unusable(Post request) {
    if (!request.dst().isLeased()) {
      return invalid(request, "it was already returned to its pool");
    }
    if (request.dst().isBehindAnother() || request.dst().elements() > 1) {
      return invalid(request, "a consumer fills no chains");
    }
    return request.dst().pool() == memory ? null : invalid(request, "it is of another pool");
  }

  @Override
  public @Nullable DocaError refusal(Post request) {
    return unusable(request);
  }

  private DocaError invalid(Post request, String why) {
    return DocaError.of(
        "doca_comch_consumer_task_post_recv",
        DocaCode.INVALID_VALUE.value(),
        about(request) + ": " + why);
  }

  @Override
  public @Nullable DocaError take(Post request) {
    return request.dst().lend() ? null : invalid(request, "it was already returned to its pool");
  }

  @Override
  public void letGo(Post request) {
    request.dst().comeBack();
  }

  @Override
  public void abandon(Post request) {
    request.dst().abandon();
  }

  @Override
  public boolean offer(Post request, EngineCore core, TaskSlot slot, int context) {
    return core.submissions().offerReceive(slot.userData(), context, request.dst());
  }

  @Override
  public void completed(Post request, CompletionRing record) {
    request.dst().written(record.produced());
    letGo(request);
    request
        .replyTo()
        .tell(new Filled(request.tag(), request.dst(), record.producer(), record.immediate()));
  }

  @Override
  public void failed(Post request, DocaError error, Ownership ownership) {
    request.replyTo().tell(new PostFailed(request.tag(), error, request.dst(), ownership));
  }

  @Override
  public void busy(Post request, int waiting) {
    request.replyTo().tell(new PostBusy(request.tag(), request.dst(), waiting));
  }
}
