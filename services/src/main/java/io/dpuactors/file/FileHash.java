package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.CloseSession;
import io.dpuactors.protocol.ShaProtocol.Command;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.TaskReply;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Hashes one file. A file of one part is one task. A longer file is a session: the actor reads the
 * next part while the device hashes the current part. The actor computes the digest of an empty
 * file itself, because DOCA refuses an empty source.
 */
final class FileHash extends FileActor<HashMessage> {
  /**
   * One file of a batch.
   *
   * @param index of the file in the batch
   */
  record Job(int index, Path path, Algorithm algorithm) {}

  private final Job job;
  private final PartialFiles partials;
  private final ActorRef<Command> sha;
  private final HashBuffers buffers;
  private final ActorRef<? super HashEvent> listener;
  private final ActorRef<TaskReply> replies;
  private @Nullable HashInput input;
  private @Nullable Session session;
  private @Nullable HashEvent result;
  private boolean isLast;
  private boolean isAnswerDue;
  private long part;
  private long bytesDone;
  private final RetryLimit busy = new RetryLimit();
  private final ProgressInterval interval = new ProgressInterval();

  private FileHash(
      ActorContext<HashMessage> context,
      TimerScheduler<HashMessage> timers,
      Job job,
      PartialFiles partials,
      ActorRef<Command> sha,
      Part memory,
      ActorRef<? super HashEvent> listener) {
    super(context, timers, job.path, HashMessage.Step.LAST_CALL);
    this.job = job;
    this.partials = partials;
    this.sha = sha;
    this.buffers = new HashBuffers(memory);
    this.listener = listener;
    this.replies = context.messageAdapter(TaskReply.class, HashMessage.Answered::new);
    context.watch(sha);
  }

  /**
   * Creates the actor of one file. Spawn it on {@code DispatcherSelector.blocking()}. The actor
   * stops after its last event.
   *
   * @param sha a running context that can open one more session
   * @param memory has two sources and one destination for this file
   */
  static Behavior<HashMessage> create(
      Job job,
      PartialFiles partials,
      ActorRef<Command> sha,
      Part memory,
      ActorRef<? super HashEvent> listener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(HashMessage.Step.BEGIN);
                  return new FileHash(context, timers, job, partials, sha, memory, listener);
                }));
  }

  @Override
  public Receive<HashMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(HashMessage.Answered.class, m -> guarded(() -> onAnswered(m.reply())))
        .onMessage(HashMessage.SessionAnswered.class, m -> guarded(() -> onSession(m.reply())))
        .onMessage(HashMessage.Step.class, m -> guarded(() -> onStep(m)))
        .onSignal(Terminated.class, s -> onTerminated(HashMessage.Step.CONTEXT_ENDED))
        .onSignal(PostStop.class, s -> onPostStop())
        .build();
  }

  /** Ends the file if it has a result. */
  @Override
  boolean proceed() {
    if (result == null) {
      return false;
    }
    release();
    listener.tell(result);
    return true;
  }

  @Override
  boolean isAnswerDue() {
    return isAnswerDue;
  }

  @Override
  FileFailure abort(FileFailure why) {
    return why;
  }

  @Override
  void reportFailed(FileFailure why) {
    release();
    listener.tell(new HashEvent.Failed(job.index, why));
  }

  private void onStep(HashMessage.Step step) throws FileException {
    switch (step) {
      case BEGIN -> begin();
      case RESEND -> {
        if (!hasFailed()) {
          send();
        }
      }
      case CANCEL -> onCancel();
      case CONTEXT_ENDED -> onContextEnded();
      case LAST_CALL -> {
        buffers.forgetSent();
        isAnswerDue = false;
      }
    }
  }

  private void begin() throws FileException {
    HashInput opened = HashInput.open(job.path, partials, job.algorithm.blockBytes());
    input = opened;
    opened.read(buffers.current());
    isLast = opened.isAtEnd();
    if (!isLast) {
      openSession();
    } else if (buffers.current().length() > 0) {
      send();
    } else {
      result = new HashEvent.Done(job.index, 0, HexFormat.of().formatHex(digestOfNothing()));
    }
  }

  private byte[] digestOfNothing() {
    try {
      return MessageDigest.getInstance(job.algorithm.standardName()).digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has these algorithms", e);
    }
  }

  private void openSession() {
    isAnswerDue = true;
    ActorRef<SessionReply> replyTo =
        getContext().messageAdapter(SessionReply.class, HashMessage.SessionAnswered::new);
    sha.tell(new OpenSession(job.algorithm, Optional.of(getContext().getSelf()), replyTo));
  }

  private void onSession(SessionReply reply) throws FileException {
    isAnswerDue = false;
    if (reply instanceof ShaProtocol.SessionRefused refused) {
      throw new FileException(FileFailure.of(Kind.TASK, job.path, refused.error()));
    }
    session = ((ShaProtocol.SessionOpened) reply).session();
    if (!hasFailed()) {
      sendAndRead();
    }
  }

  /** Sends the current part, and reads the next part while the device hashes. */
  private void sendAndRead() throws FileException {
    send();
    if (!isLast) {
      opened(input).read(buffers.next());
    }
  }

  private void send() {
    Buffer src = buffers.current();
    Buffer dst = buffers.digest();
    isAnswerDue = true;
    if (session == null) {
      sha.tell(new ShaProtocol.Hash(job.algorithm, src, dst, part, replies));
    } else if (isLast) {
      sha.tell(new ShaProtocol.Finish(session, src, dst, part, replies));
    } else {
      sha.tell(new ShaProtocol.Update(session, src, dst, part, replies));
    }
  }

  private void onAnswered(TaskReply reply) throws FileException {
    isAnswerDue = false;
    if (reply instanceof TaskReply.Failed failed) {
      if (failed.ownership() == TaskReply.Ownership.RETAINED) {
        buffers.forgetSent();
      }
      throw new FileException(FileFailure.atBlock(job.path, part, failed.error()));
    }
    if (hasFailed()) {
      return;
    }
    if (reply instanceof Busy) {
      onBusy();
    } else {
      onHashed();
    }
  }

  private void onBusy() throws FileException {
    if (busy.hasPassed()) {
      throw RetryLimit.busy(job.path, part);
    }
    timers.startSingleTimer(HashMessage.Step.RESEND, RetryLimit.PAUSE);
  }

  private void onHashed() throws FileException {
    busy.reset();
    part++;
    bytesDone += buffers.current().length();
    if (isLast) {
      result = new HashEvent.Done(job.index, bytesDone, digest());
      return;
    }
    isLast = opened(input).isAtEnd();
    buffers.advance();
    sendAndRead();
    if (interval.isDue()) {
      listener.tell(new HashEvent.Progress(job.index, bytesDone, opened(input).bytes()));
    }
  }

  private String digest() throws FileException {
    String digest = buffers.hexadecimal();
    int wanted = 2 * job.algorithm.digestBytes();
    if (digest.length() != wanted) {
      throw new FileException(
          FileFailure.of(
              Kind.VERIFY,
              job.path,
              "the device wrote %d digits instead of %d".formatted(digest.length(), wanted)));
    }
    return digest;
  }

  private Behavior<HashMessage> onPostStop() {
    if (isAnswerDue) {
      buffers.forgetSent();
    }
    release();
    return this;
  }

  /** Returns the buffers, closes the file, and ends an unfinished session. Idempotent. */
  private void release() {
    buffers.release();
    if (session != null && session.handle().isOpen()) {
      sha.tell(new CloseSession(session, getContext().getSystem().ignoreRef()));
    }
    session = null;
    if (input != null) {
      input.close();
      input = null;
    }
  }

  private static <T> T opened(@Nullable T resource) {
    if (resource == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return resource;
  }
}
