package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskReply;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Moves the blocks of one file through contexts. The {@link BlockWindow} of the pipeline limits the
 * blocks in flight. Contexts reply in any order; the pipeline writes the blocks in order. After the
 * first failure it starts no block. The pipeline reports the result when the device has returned
 * every buffer.
 */
final class FilePipeline extends FileActor<FileCommand> {
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
  private final FileEvents events;
  private boolean atEnd;
  private boolean mustGrow;
  private boolean asked;
  private boolean isKeyDue;

  private FilePipeline(
      ActorContext<FileCommand> context,
      TimerScheduler<FileCommand> timers,
      BlockWork work,
      List<BlockWorker> workers,
      ActorRef<? super FileEvent> listener,
      Growth growth) {
    super(context, timers, work.job().input(), PipelineMessage.LastCall.INSTANCE);
    this.work = work;
    this.growth = growth;
    this.events = new FileEvents(work, listener);
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
        .onSignal(Terminated.class, s -> onTerminated(PipelineMessage.ContextEnded.INSTANCE))
        .onSignal(PostStop.class, s -> onPostStop())
        .build();
  }

  /** Reads and writes as many blocks as possible. Every message handler ends here. */
  @Override
  boolean proceed() throws FileException {
    if (isKeyDue) {
      return false;
    }
    do {
      fill();
    } while (writeReady());
    if (mustGrow && !asked && window.isEmpty()) {
      asked = true;
      growth.ask(work.wanted(), getContext().getSelf());
    }
    if (!atEnd || !window.isEmpty()) {
      return false;
    }
    work.finish();
    events.done(window.nextToWrite());
    return true;
  }

  @Override
  boolean isAnswerDue() {
    return window.isAnswerDue();
  }

  @Override
  void reportFailed(FileFailure why) {
    events.failed(why);
  }

  private void onBegin() throws FileException {
    work.open();
    window.begin(work.resumed().blocks());
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
    if (hasFailed()) {
      block.settle(reply);
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
    block.busy.reset();
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
      block.settle(reply);
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
    events.progress(oldest == null ? work.bytesRead() : oldest.offset);
    return true;
  }

  /** Deletes the output at once, unless a later process can continue it. */
  @Override
  FileFailure abort(FileFailure why) {
    queues.forEach(WorkerQueue::clear);
    window.releaseUnsent();
    return (why.kind() == Kind.TASK ? work.suspend() : work.discard())
        .map(why::andThen)
        .orElse(why);
  }

  /**
   * Releases the remaining buffers, also after a forced stop. The device may then still hold
   * buffers, and no actor receives their replies.
   */
  private Behavior<FileCommand> onPostStop() {
    window.releaseUnsent();
    work.suspend();
    return this;
  }
}
