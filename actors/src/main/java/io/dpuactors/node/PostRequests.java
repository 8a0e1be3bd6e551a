package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.ReceiveBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConsumerProtocol.BatchBusy;
import io.dpuactors.protocol.comch.ConsumerProtocol.BatchEnded;
import io.dpuactors.protocol.comch.ConsumerProtocol.BatchFailed;
import io.dpuactors.protocol.comch.ConsumerProtocol.Filled;
import io.dpuactors.protocol.comch.ConsumerProtocol.Post;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostBatch;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostBusy;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostRequest;
import org.jspecify.annotations.Nullable;

/** Buffers that a consumer posts, one by one or in batches. */
final class PostRequests implements Requests<PostRequest> {
  private final String consumer;
  private final BufferPool memory;

  /**
   * Creates the requests of one consumer.
   *
   * @param consumer name for errors
   * @param memory pool of the consumer's creation; DOCA accepts no other
   */
  PostRequests(String consumer, BufferPool memory) {
    this.consumer = consumer;
    this.memory = memory;
  }

  /**
   * A consumer runs when the peer has been notified of it. If it never runs, the connection is
   * lost.
   */
  @Override
  public DocaCode endCode(boolean hasRun) {
    return hasRun ? DocaCode.UNEXPECTED : DocaCode.CONNECTION_ABORTED;
  }

  @Override
  public TaskKind kind(PostRequest request) {
    return TaskKind.COMCH_CONSUMER_RECV;
  }

  private static ReceiveBatch batch(PostRequest request) {
    return ((PostBatch) request).batch();
  }

  @Override
  public String about(PostRequest request) {
    return request instanceof Post post
        ? "buffer of %d bytes for %s".formatted(post.dst().capacity(), consumer)
        : "batch of %d buffers for %s".formatted(batch(request).size(), consumer);
  }

  @Override
  public @Nullable DocaError unusable(PostRequest request) {
    return request instanceof Post post
        ? unusable(post)
        : ofAnotherPool(request, batch(request).pool());
  }

  private @Nullable DocaError unusable(Post request) {
    Buffer dst = request.dst();
    if (!dst.isLeased()) {
      return invalid(request, "it was already returned to its pool");
    }
    if (dst.isBehindAnother() || dst.elements() > 1) {
      return invalid(request, "a consumer accepts no chains");
    }
    return ofAnotherPool(request, dst.pool());
  }

  private @Nullable DocaError ofAnotherPool(PostRequest request, BufferPool pool) {
    return pool == memory ? null : invalid(request, "it belongs to another pool");
  }

  @Override
  public @Nullable DocaError refusal(PostRequest request) {
    return request instanceof Post post ? unusable(post) : null;
  }

  private DocaError invalid(PostRequest request, String why) {
    return DocaError.of(
        "doca_comch_consumer_task_post_recv",
        DocaCode.INVALID_VALUE.value(),
        about(request) + ": " + why);
  }

  @Override
  public @Nullable DocaError take(PostRequest request) {
    if (request instanceof Post post) {
      return post.dst().take(consumer)
          ? null
          : invalid(request, ContextLimits.notTaken(post.dst()));
    }
    return batch(request).begin() ? null : invalid(request, "the batch is in use or closed");
  }

  @Override
  public void returnBuffers(PostRequest request) {
    if (request instanceof Post post) {
      post.dst().returnTaken();
    } else {
      batch(request).end();
    }
  }

  @Override
  public void abandon(PostRequest request) {
    if (request instanceof Post post) {
      post.dst().abandon();
    } else {
      batch(request).retain();
    }
  }

  @Override
  public boolean offer(PostRequest request, EngineCore core, TaskSlot slot, int context) {
    return request instanceof Post post
        ? core.submissions().offerReceive(slot.userData(), context, post.dst())
        : core.submissions().offerReceives(slot.userData(), context, batch(request));
  }

  @Override
  public void correct(PostRequest request, DocaCode reported, DocaCode reason) {
    if (request instanceof PostBatch posts) {
      posts.batch().results().correct(reported, reason);
    }
  }

  @Override
  public void completed(PostRequest request, CompletionRing record) {
    if (request instanceof Post post) {
      post.dst().written(record.produced());
      returnBuffers(request);
      BufferReply.send(
          post.replyTo(),
          new Filled(post.tag(), post.dst(), record.producer(), record.immediate()));
    } else {
      PostBatch posts = (PostBatch) request;
      posts.batch().written();
      returnBuffers(request);
      BufferReply.send(posts.replyTo(), new BatchEnded(posts.tag(), posts.batch()));
    }
  }

  @Override
  public void failed(PostRequest request, DocaError error, Ownership ownership) {
    if (request instanceof Post post) {
      BufferReply.send(post.replyTo(), new PostFailed(post.tag(), error, post.dst(), ownership));
    } else {
      PostBatch posts = (PostBatch) request;
      BufferReply.send(
          posts.replyTo(), new BatchFailed(posts.tag(), error, posts.batch(), ownership));
    }
  }

  @Override
  public void busy(PostRequest request, int waiting) {
    if (request instanceof Post post) {
      BufferReply.send(post.replyTo(), new PostBusy(post.tag(), post.dst(), waiting));
    } else {
      PostBatch posts = (PostBatch) request;
      BufferReply.send(posts.replyTo(), new BatchBusy(posts.tag(), posts.batch(), waiting));
    }
  }
}
