package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Messages to a SHA context. */
public final class ShaProtocol {
  private ShaProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits Hash, Batch, OpenSession, CloseSession, Update, Finish, GetCapabilities, Stop {}

  /** The answer to the command that opens a SHA context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A hash function of FIPS 180-4. */
  public enum Algorithm implements DeviceRequest.Variant {
    SHA1(0, "SHA-1", 20, 64),
    SHA256(1, "SHA-256", 32, 64),
    SHA512(2, "SHA-512", 64, 128);

    private final int docaValue;
    private final String standardName;
    private final int digestBytes;
    private final int blockBytes;

    Algorithm(int docaValue, String standardName, int digestBytes, int blockBytes) {
      this.docaValue = docaValue;
      this.standardName = standardName;
      this.digestBytes = digestBytes;
      this.blockBytes = blockBytes;
    }

    @Override
    public int number() {
      return docaValue;
    }

    /** Returns the name in the standard, which is also that of {@code MessageDigest}. */
    public String standardName() {
      return standardName;
    }

    /**
     * Returns the size in bytes of which each part of a session except the last is a multiple. A
     * device may require a multiple of it: see {@code TaskLimits.variants}.
     */
    public int blockBytes() {
      return blockBytes;
    }

    /** Returns the length of a digest in bytes. */
    public int digestBytes() {
      return digestBytes;
    }
  }

  /**
   * Writes the digest of the source into the destination, which must have room for {@link
   * Algorithm#digestBytes} and for the minimum of the device: see {@code TaskLimits.variants}. The
   * source has at least one byte. Answer: {@link TaskReply} without checksums; {@code
   * DOCA_ERROR_NOT_SUPPORTED} if the device lacks the algorithm.
   */
  public record Hash(
      Algorithm algorithm, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, Hashes {
    /** A request without a tag. */
    public Hash(Algorithm algorithm, Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(algorithm, src, dst, 0, replyTo);
    }
  }

  /**
   * Writes the digest of each source of a batch into its destination, as {@link Hash}. Answer: one
   * {@link BatchReply} without checksums. The parts of a {@link Session} form no batch: they share
   * one task of the device.
   */
  public record Batch(Algorithm algorithm, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest, Hashes {}

  /** One or more whole messages. */
  private interface Hashes extends DeviceRequest {
    Algorithm algorithm();

    @Override
    default TaskKind kind() {
      return TaskKind.SHA_HASH;
    }

    @Override
    default Algorithm variant() {
      return algorithm();
    }

    @Override
    default long argument() {
      return algorithm().docaValue;
    }

    @Override
    default long minOutputBytes(int task, long sourceBytes) {
      return algorithm().digestBytes;
    }
  }

  /**
   * The hash of a message in parts. The hash belongs to one task of the context; the window limits
   * the number of open sessions. A session ends with {@link Finish}, {@link CloseSession}, its
   * owner, its context or a restart of the context, and with a part that fails or is late. An
   * answer {@code Busy} and a refused part change nothing: the program sends the part again.
   */
  public record Session(TaskHandle handle, Algorithm algorithm) {}

  /**
   * Opens a session. Answer: {@link SessionReply}.
   *
   * @param owner the session ends after this actor has ended; empty: no actor
   */
  public record OpenSession(
      Algorithm algorithm, Optional<ActorRef<?>> owner, ActorRef<SessionReply> replyTo)
      implements Command, TaskProtocol.CreateObject {
    /** A session that no actor owns. */
    public OpenSession(Algorithm algorithm, ActorRef<SessionReply> replyTo) {
      this(algorithm, Optional.empty(), replyTo);
    }

    @Override
    public TaskKind session() {
      return TaskKind.SHA_PARTIAL_HASH;
    }

    @Override
    public void created(TaskHandle handle) {
      replyTo.tell(new SessionOpened(new Session(handle, algorithm)));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new SessionRefused(error));
    }
  }

  /** The answer to {@link OpenSession}. */
  public sealed interface SessionReply extends LocalMessage {}

  /** The session is open. */
  public record SessionOpened(Session session) implements SessionReply {}

  /** Each task has a session, the device hashes no parts, or the context ends. */
  public record SessionRefused(DocaError error) implements SessionReply {}

  /** Ends a session without a digest. */
  public record CloseSession(Session session, ActorRef<TaskProtocol.ObjectDestroyed> replyTo)
      implements Command, TaskProtocol.DestroyObject {
    @Override
    public TaskHandle handle() {
      return session.handle;
    }
  }

  /** A part of a message. */
  private interface Part extends TaskRequest {
    Session session();

    @Override
    default TaskHandle handle() {
      return session().handle;
    }

    @Override
    default TaskKind kind() {
      return TaskKind.SHA_PARTIAL_HASH;
    }

    @Override
    default Algorithm variant() {
      return session().algorithm;
    }

    @Override
    default long argument() {
      return (long) session().algorithm.docaValue << 16;
    }

    @Override
    default long minOutputBytes(int task, long sourceBytes) {
      return session().algorithm.digestBytes;
    }
  }

  /**
   * Hashes a part that is not the last. One request at a time: wait for the answer before the next
   * part. Answer: {@link TaskReply}; the destination is empty. {@code DOCA_ERROR_NOT_SUPPORTED} if
   * the device lacks the algorithm.
   *
   * @param src a multiple of {@link Algorithm#blockBytes}
   * @param dst the same buffer for all parts of the session
   */
  public record Update(
      Session session, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, Part {
    @Override
    public boolean endsSession(boolean hasFailed) {
      return hasFailed;
    }

    @Override
    public boolean isPart() {
      return true;
    }

    @Override
    public @Nullable String problem(int task, long sourceBytes) {
      return sourceBytes % session.algorithm.blockBytes == 0
          ? null
          : "%d bytes are no multiple of %d".formatted(sourceBytes, session.algorithm.blockBytes);
    }
  }

  /**
   * Hashes the last part, which has any size, and ends the session. The session has hashed another
   * part before. Answer: {@link TaskReply}; the destination has the digest.
   *
   * @param dst the same buffer for all parts of the session
   */
  public record Finish(
      Session session, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, Part {
    private static final long LAST = 1 << 24;

    @Override
    public boolean endsSession(boolean hasFailed) {
      return true;
    }

    @Override
    public long argument() {
      return Part.super.argument() | LAST;
    }
  }

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
