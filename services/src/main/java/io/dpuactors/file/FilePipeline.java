package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Moves the blocks of one file through contexts. Its {@link BlockWindow} limits the blocks in
 * flight. Contexts reply in any order; the pipeline writes the blocks in order. After the first
 * failure it starts no block. It reports the result when the device has returned every buffer.
 */
final class FilePipeline extends AbstractBehavior<FileCommand> {
  /** Time to wait for replies after a failure; longer than any deadline of a context. */
  private static final Duration LAST_CALL = Duration.ofMinutes(2);

  /** Replaces the pipeline's buffers with larger ones. All present buffers are in their pools. */
  interface Growth {
    /**
     * Requests buffers. The reply is {@link PipelineMessage.Grown} or {@link
     * PipelineMessage.NotGrown}.
     */
    void ask(PoolShape wanted, ActorRef<FileCommand> replyTo);
  }

  private final BlockWork work;
  private final Growth growth;
  private final ActorRef<TaskReply> replies;
  private BlockWindow window;
  private List<WorkerQueue> queues;
  private final ActorRef<LocalMessage> cipher;
  private final FileNews news;
  private final TimerScheduler<FileCommand> timers;
  private boolean atEnd;
  private boolean mustGrow;
  private boolean asked;
  private boolean isKeyDue;
  private @Nullable FileFailure failure;

  private FilePipeline(
      ActorContext<FileCommand> context,
      TimerScheduler<FileCommand> timers,
      BlockWork work,
      List<BlockWorker> workers,
      ActorRef<? super FileEvent> listener,
      Growth growth) {
    super(context);
    this.work = work;
    this.growth = growth;
    this.news = new FileNews(work, listener);
    this.timers = timers;
    replies = context.messageAdapter(TaskReply.class, PipelineMessage.Answered::new);
    window = windowOf(workers, 0);
    queues = queuesOf(workers);
    cipher = workers.get(0).cipher();
    workers.stream()
        .flatMap(worker -> Stream.of(worker.context(), worker.cipher()))
        .distinct()
        .forEach(context::watch);
  }

  private static BlockWindow windowOf(List<BlockWorker> workers, long next) {
    int blocks = workers.stream().mapToInt(BlockWorker::window).min().orElseThrow();
    return new BlockWindow(workers.size(), blocks, next);
  }

  private List<WorkerQueue> queuesOf(List<BlockWorker> workers) {
    return IntStream.range(0, workers.size())
        .mapToObj(i -> new WorkerQueue(workers.get(i), i, work, replies, timers))
        .toList();
  }

  /** Creates a pipeline whose workers are large enough for every block. */
  static Behavior<FileCommand> create(
      BlockWork work, List<BlockWorker> workers, ActorRef<? super FileEvent> listener) {
    return create(
        work,
        workers,
        listener,
        (wanted, replyTo) -> {
          throw new IllegalStateException("this pipeline needs no larger buffers");
        });
  }

  static Behavior<FileCommand> create(
      BlockWork work,
      List<BlockWorker> workers,
      ActorRef<? super FileEvent> listener,
      Growth growth) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(PipelineMessage.Begin.INSTANCE);
                  return new FilePipeline(context, timers, work, workers, listener, growth);
                }));
  }

  @Override
  public Receive<FileCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(PipelineMessage.Answered.class, m -> guarded(() -> onAnswered(m.reply())))
        .onMessage(PipelineMessage.Begin.class, m -> guarded(this::onBegin))
        .onMessage(PipelineMessage.KeyAnswered.class, m -> guarded(() -> onKey(m.reply())))
        .onMessage(
            PipelineMessage.Resend.class, m -> guarded(() -> queues.get(m.worker()).resend()))
        .onMessage(PipelineMessage.Refill.class, m -> guarded(() -> {}))
        .onMessage(PipelineMessage.Grown.class, m -> guarded(() -> onGrown(m.workers())))
        .onMessage(PipelineMessage.NotGrown.class, m -> guarded(() -> fail(m.failure())))
        .onMessage(PipelineMessage.ContextEnded.class, m -> guarded(this::onContextEnded))
        .onMessage(PipelineMessage.LastCall.class, m -> guarded(window::forgetSent))
        .onMessage(FileCommand.Cancel.class, m -> guarded(this::onCancel))
        .onSignal(Terminated.class, s -> onTerminated())
        .onSignal(PostStop.class, s -> onPostStop())
        .build();
  }

  /** One step of the work, which may fail. */
  private interface Step {
    void run() throws FileException;
  }

  /**
   * Runs a step, then reads and writes as many blocks as possible. An exception fails the file.
   * Every message handler ends here.
   */
  private Behavior<FileCommand> guarded(Step step) {
    try {
      step.run();
      if (failure == null && !isKeyDue) {
        do {
          fill();
        } while (writeReady());
        if (mustGrow && !asked && window.isEmpty()) {
          asked = true;
          growth.ask(work.wanted(), getContext().getSelf());
        }
        if (atEnd && window.isEmpty()) {
          work.finish();
          news.done(window.nextToWrite());
          return Behaviors.stopped();
        }
      }
    } catch (FileException e) {
      fail(e.failure());
    } catch (RuntimeException e) {
      fail(FileFailure.of(Kind.INTERNAL, work.job().input(), "internal error: " + e, e));
    }
    if (failure != null && !window.isAnswerDue()) {
      news.failed(failure);
      return Behaviors.stopped();
    }
    return this;
  }

  private void onBegin() throws FileException {
    work.open();
    work.key()
        .ifPresent(
            key -> {
              isKeyDue = true;
              ActorRef<FileCommand> self = getContext().getSelf();
              ActorRef<KeyReply> replyTo =
                  getContext().messageAdapter(KeyReply.class, PipelineMessage.KeyAnswered::new);
              cipher.tell(new CreateKey(key, Optional.of(self), replyTo));
            });
  }

  private void onKey(KeyReply reply) throws FileException {
    isKeyDue = false;
    if (reply instanceof KeyRefused refused) {
      throw new FileException(FileFailure.of(Kind.DEVICE, work.job().input(), refused.error()));
    }
    work.created(((KeyCreated) reply).key());
  }

  private void fill() throws FileException {
    while (!atEnd && !mustGrow && !window.isFull() && startNext()) {
      window.read();
    }
  }

  /** Reads and sends the next block. Returns false without a block or free buffers. */
  private boolean startNext() throws FileException {
    Block block = window.free();
    if (!queue(block).lease(block, window.nextToRead())) {
      return false;
    }
    boolean kept = false;
    try {
      BlockWork.Found found = work.read(block);
      kept = found == BlockWork.Found.BLOCK || found == BlockWork.Found.READY_BLOCK;
      switch (found) {
        case BLOCK -> queue(block).send(block);
        case READY_BLOCK -> block.state = Block.State.READY;
        case END -> atEnd = true;
        case GROW -> mustGrow = true;
      }
    } finally {
      if (!kept) {
        block.release();
      }
    }
    return kept;
  }

  private void onGrown(List<BlockWorker> workers) {
    window = windowOf(workers, window.nextToWrite());
    queues = queuesOf(workers);
    mustGrow = false;
    asked = false;
  }

  private WorkerQueue queue(Block block) {
    return queues.get(block.worker);
  }

  private void onAnswered(TaskReply reply) throws FileException {
    Block block = window.answered(reply);
    if (failure != null) {
      settle(block, reply);
    } else if (reply instanceof TaskReply.Completed completed) {
      onCompleted(block, completed);
    } else if (reply instanceof Busy) {
      queue(block).busy(block);
    } else if (reply instanceof TaskReply.Failed failed) {
      onFailed(block, failed);
    }
  }

  private void onCompleted(Block block, TaskReply.Completed reply) throws FileException {
    block.state = Block.State.READY;
    block.busySinceNs = 0;
    queue(block).resend();
    if (!work.completed(block, reply)) {
      queue(block).send(block);
    } else if (!work.writesSource()) {
      block.releaseSource();
    }
  }

  private void onFailed(Block block, TaskReply.Failed reply) throws FileException {
    try {
      throw new FileException(work.explain(block, reply));
    } finally {
      settle(block, reply);
    }
  }

  /** Releases the buffers of a block of a failed file, unless the device retains them. */
  private static void settle(Block block, TaskReply reply) {
    boolean retained =
        reply instanceof TaskReply.Failed f && f.ownership() == TaskReply.Ownership.RETAINED;
    if (retained) {
      block.forget();
    } else {
      block.release();
    }
  }

  /** Writes the blocks that are ready. Returns whether it wrote one and thus freed places. */
  private boolean writeReady() throws FileException {
    long before = window.nextToWrite();
    Block oldest = window.oldest();
    while (oldest != null && oldest.state == Block.State.READY) {
      work.write(oldest);
      window.written();
      oldest = window.oldest();
    }
    if (window.nextToWrite() == before) {
      return false;
    }
    news.progress(oldest == null ? work.bytesRead() : oldest.offset);
    return true;
  }

  private void onCancel() {
    fail(FileFailure.of(Kind.CANCELLED, work.job().input(), "cancelled"));
  }

  /**
   * Sends itself a message: the signal overtakes messages, and a reply with a more specific reason
   * may be in the mailbox.
   */
  private Behavior<FileCommand> onTerminated() {
    getContext().getSelf().tell(PipelineMessage.ContextEnded.INSTANCE);
    return this;
  }

  /** Fails the file. The replies to all requests of the stopped context still arrive. */
  private void onContextEnded() {
    fail(FileFailure.of(Kind.TASK, work.job().input(), "the context has ended"));
  }

  /**
   * Fails the file; the first failure counts. Deletes the output at once. The buffers that the
   * device holds return later.
   */
  private void fail(FileFailure why) {
    if (failure != null) {
      return;
    }
    failure = work.discard().map(why::andThen).orElse(why);
    timers.cancelAll();
    timers.startSingleTimer(PipelineMessage.LastCall.INSTANCE, LAST_CALL);
    queues.forEach(WorkerQueue::clear);
    window.releaseUnsent();
  }

  /**
   * Releases the remaining buffers, also after a forced stop. The device may then still hold
   * buffers, and no actor receives their replies.
   */
  private Behavior<FileCommand> onPostStop() {
    window.releaseUnsent();
    work.discard();
    return this;
  }
}
