package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
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
 * Moves the blocks of one file through contexts.
 *
 * <pre>
 *   block  written   next to write            next to read
 *            |            |                        |
 *     ... 4  5  |  6 READY   7 SENT   8 READY  |  9 ...
 *               +--- the window: places ------+
 * </pre>
 *
 * <p>Block n uses place n modulo the window and so always the same station: stations take turns.
 * Each place has one buffer for input and one for output while a block is in it, which bounds the
 * memory. Blocks are answered in any order and written when they are the next. After the first
 * failure nothing new is started; the answer goes out when the device has given every buffer back.
 */
final class FilePipeline extends AbstractBehavior<FileCommand> {
  /**
   * How long contexts may say that they are busy, and pools that they are empty, before that is a
   * failure.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long answers are waited for after a failure; longer than any deadline of a context. */
  private static final Duration LAST_CALL = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofMillis(1);

  /**
   * Nobody looks more often, and each message wakes other threads while the device needs the cores.
   */
  private static final long PROGRESS_INTERVAL_NS = Duration.ofMillis(50).toNanos();

  /** What the actor tells itself. */
  sealed interface Internal extends FileCommand {}

  /** Open the files and start. */
  enum Begin implements Internal {
    INSTANCE
  }

  /** Look for free buffers again. */
  enum Refill implements Internal {
    INSTANCE
  }

  /** A context has answered. */
  record Answered(TaskReply reply) implements Internal {}

  /** Send again what a context was too busy for. */
  record Resend(int station) implements Internal {}

  /** A context has ended, and every answer that it gave before has been seen. */
  enum ContextEnded implements Internal {
    INSTANCE
  }

  /** Answers that have not come will never come. */
  enum LastCall implements Internal {
    INSTANCE
  }

  private final BlockWork work;
  private final List<Station> stations;
  private final List<PriorityQueue<Block>> waiting;
  private final ActorRef<? super FileEvent> listener;
  private final TimerScheduler<FileCommand> timers;
  private final ActorRef<TaskReply> replies;
  private final Block[] places;
  private final long startNs = System.nanoTime();
  private long nextToRead;
  private long nextToWrite;
  private int sent;
  private boolean atEnd;
  private long starvedSinceNs;
  private long nextProgressNs = startNs;
  private @Nullable FileFailure failure;

  private FilePipeline(
      ActorContext<FileCommand> context,
      TimerScheduler<FileCommand> timers,
      BlockWork work,
      List<Station> stations,
      ActorRef<? super FileEvent> listener) {
    super(context);
    this.work = work;
    this.stations = List.copyOf(stations);
    this.listener = listener;
    this.timers = timers;
    replies = context.messageAdapter(TaskReply.class, Answered::new);
    int window = stations.stream().mapToInt(Station::window).min().orElseThrow();
    places = new Block[window * stations.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Block(i % stations.size());
    }
    waiting =
        stations.stream()
            .map(s -> new PriorityQueue<Block>(Comparator.comparingLong(b -> b.number)))
            .toList();
    stations.stream().map(Station::context).distinct().forEach(context::watch);
  }

  static Behavior<FileCommand> create(
      BlockWork work, List<Station> stations, ActorRef<? super FileEvent> listener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(Begin.INSTANCE);
                  return new FilePipeline(context, timers, work, stations, listener);
                }));
  }

  @Override
  public Receive<FileCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(Answered.class, m -> guarded(() -> onAnswered(m.reply())))
        .onMessage(Begin.class, m -> guarded(this::onBegin))
        .onMessage(Resend.class, m -> guarded(() -> resend(m.station())))
        .onMessage(Refill.class, m -> guarded(() -> {}))
        .onMessage(ContextEnded.class, m -> guarded(this::onContextEnded))
        .onMessage(LastCall.class, m -> guarded(this::onLastCall))
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
   * Every message ends here: whatever goes wrong becomes the file's failure, then as much as
   * possible is done.
   */
  private Behavior<FileCommand> guarded(Step step) {
    try {
      step.run();
      if (failure == null) {
        do {
          fill();
        } while (writeReady());
        if (atEnd && nextToWrite == nextToRead) {
          work.finish();
          return done();
        }
      }
    } catch (FileException e) {
      fail(e.failure());
    } catch (RuntimeException e) {
      fail(FileFailure.of(Kind.INTERNAL, work.job().input(), "internal error: " + e, e));
    }
    return failure != null && sent == 0 ? failed(failure) : this;
  }

  private void onBegin() throws FileException {
    work.open();
  }

  private void fill() throws FileException {
    while (!atEnd && nextToRead - nextToWrite < places.length && startNext()) {
      nextToRead++;
    }
  }

  /** Whether there was a block, and buffers for it. */
  private boolean startNext() throws FileException {
    Block block = place(nextToRead);
    Station station = stations.get(block.station);
    Buffer src = station.sources().lease();
    Buffer dst = src == null ? null : station.destinations().lease();
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      starve();
      return false;
    }
    starvedSinceNs = 0;
    block.take(nextToRead, src, dst);
    boolean kept = false;
    try {
      BlockWork.Found found = work.read(block);
      kept = found != BlockWork.Found.END;
      switch (found) {
        case BLOCK -> send(block);
        case READY_BLOCK -> block.state = Block.State.READY;
        case END -> atEnd = true;
      }
    } finally {
      if (!kept) {
        block.release();
      }
    }
    return kept;
  }

  /**
   * Someone else uses the pools as well: answers bring their own buffers back, the timer looks for
   * those of others.
   */
  private void starve() throws FileException {
    long now = System.nanoTime();
    if (starvedSinceNs == 0) {
      starvedSinceNs = now;
    }
    if (now - starvedSinceNs > PATIENCE.toNanos()) {
      throw new FileException(
          FileFailure.of(
              Kind.TASK,
              work.job().input(),
              "no free buffer for %d s".formatted(PATIENCE.toSeconds())));
    }
    timers.startSingleTimer(Refill.INSTANCE, PAUSE);
  }

  /** Behind what waits already, so that the context sees the blocks in order. */
  private void send(Block block) {
    if (waiting.get(block.station).isEmpty()) {
      submit(block);
    } else {
      await(block);
    }
  }

  private void submit(Block block) {
    block.state = Block.State.SENT;
    sent++;
    stations.get(block.station).context().tell(work.request(block, replies));
  }

  private void await(Block block) {
    block.state = Block.State.WAITING;
    waiting.get(block.station).add(block);
    timers.startSingleTimer(block.station, new Resend(block.station), PAUSE);
  }

  private void resend(int station) {
    if (failure != null) {
      return;
    }
    PriorityQueue<Block> queue = waiting.get(station);
    for (Block block = queue.poll(); block != null; block = queue.poll()) {
      submit(block);
    }
  }

  private void onAnswered(TaskReply reply) throws FileException {
    Block block = place(reply.tag());
    if (block.state != Block.State.SENT || block.number != reply.tag()) {
      throw new IllegalStateException("an answer that nothing asks for: " + reply);
    }
    sent--;
    if (failure != null) {
      settle(block, reply);
    } else if (reply instanceof TaskReply.Completed completed) {
      onCompleted(block, completed);
    } else if (reply instanceof TaskReply.Busy) {
      onBusy(block);
    } else if (reply instanceof TaskReply.Failed failed) {
      onFailed(block, failed);
    }
  }

  private void onCompleted(Block block, TaskReply.Completed reply) throws FileException {
    block.state = Block.State.READY;
    block.busySinceNs = 0;
    resend(block.station);
    if (work.completed(block, reply)) {
      block.releaseSource();
    } else {
      send(block);
    }
  }

  private void onBusy(Block block) throws FileException {
    long now = System.nanoTime();
    if (block.busySinceNs == 0) {
      block.busySinceNs = now;
    }
    await(block);
    if (now - block.busySinceNs > PATIENCE.toNanos()) {
      throw new FileException(
          FileFailure.atBlock(
              Kind.TASK,
              work.job().input(),
              block.number,
              "the context was busy for %d s".formatted(PATIENCE.toSeconds())));
    }
  }

  private void onFailed(Block block, TaskReply.Failed reply) throws FileException {
    FileFailure why = work.explain(block, reply);
    settle(block, reply);
    throw new FileException(why);
  }

  /** The buffers of a block that is of no use any more. */
  private static void settle(Block block, TaskReply reply) {
    boolean retained =
        reply instanceof TaskReply.Failed f && f.ownership() == TaskReply.Ownership.RETAINED;
    if (retained) {
      block.forget();
    } else {
      block.release();
    }
  }

  /** Whether there was one; then there is room for others. */
  private boolean writeReady() throws FileException {
    long before = nextToWrite;
    while (nextToWrite < nextToRead && place(nextToWrite).state == Block.State.READY) {
      Block block = place(nextToWrite);
      work.write(block);
      block.release();
      nextToWrite++;
    }
    if (nextToWrite == before) {
      return false;
    }
    tellProgress();
    return true;
  }

  private void tellProgress() {
    long done = nextToWrite < nextToRead ? place(nextToWrite).offset : work.bytesRead();
    long now = System.nanoTime();
    if (now - nextProgressNs >= 0 || done == work.inputBytes()) {
      nextProgressNs = now + PROGRESS_INTERVAL_NS;
      listener.tell(new FileEvent.Progress(work.job(), done, work.inputBytes()));
    }
  }

  private void onCancel() throws FileException {
    if (failure == null) {
      throw new FileException(FileFailure.of(Kind.CANCELLED, work.job().input(), "cancelled"));
    }
  }

  /**
   * A signal overtakes messages: one that says more than that the context has ended may be here
   * already.
   */
  private Behavior<FileCommand> onTerminated() {
    getContext().getSelf().tell(ContextEnded.INSTANCE);
    return this;
  }

  /** Requests that it had, or did not see any more, are answered all the same. */
  private void onContextEnded() throws FileException {
    if (failure == null) {
      throw new FileException(
          FileFailure.of(Kind.TASK, work.job().input(), "the context has ended"));
    }
  }

  /** The leases are lost, and the engine's census will tell. */
  private void onLastCall() {
    for (Block block : places) {
      if (block.state == Block.State.SENT) {
        block.forget();
      }
    }
    sent = 0;
  }

  /**
   * The first failure is the one that is told. The output goes at once, buffers as they come back.
   */
  private void fail(FileFailure why) {
    if (failure != null) {
      return;
    }
    failure = work.discard().map(left -> withLeft(why, left)).orElse(why);
    timers.cancelAll();
    timers.startSingleTimer(LastCall.INSTANCE, LAST_CALL);
    waiting.forEach(PriorityQueue::clear);
    for (Block block : places) {
      if (block.state == Block.State.READY || block.state == Block.State.WAITING) {
        block.release();
      }
    }
  }

  private static FileFailure withLeft(FileFailure why, FileFailure left) {
    return new FileFailure(
        why.kind(),
        why.file(),
        why.block(),
        why.device(),
        why.message() + "; and then " + left,
        why.cause());
  }

  private Behavior<FileCommand> done() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
    listener.tell(
        new FileEvent.Done(
            work.job(),
            new FileReport(
                work.bytesRead(), work.bytesWritten(), Math.max(1, nextToWrite), elapsed)));
    return Behaviors.stopped();
  }

  private Behavior<FileCommand> failed(FileFailure why) {
    listener.tell(new FileEvent.Failed(work.job(), why));
    return Behaviors.stopped();
  }

  /**
   * Also when stopped by force; then the device may still have buffers, and no one will get the
   * answers.
   */
  private Behavior<FileCommand> onPostStop() {
    for (Block block : places) {
      if (block.state == Block.State.READY || block.state == Block.State.WAITING) {
        block.release();
      }
    }
    work.discard();
    return this;
  }

  private Block place(long number) {
    return places[(int) (number % places.length)];
  }
}
