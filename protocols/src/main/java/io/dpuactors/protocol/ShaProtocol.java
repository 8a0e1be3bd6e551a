package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to a SHA context. */
public final class ShaProtocol {
  private ShaProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage permits Hash, GetCapabilities, Stop {}

  /** The answer to the command that opens a SHA context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A hash function of FIPS 180-4. */
  public enum Algorithm {
    SHA1(0, 20),
    SHA256(1, 32),
    SHA512(2, 64);

    private final int docaValue;
    private final int digestBytes;

    Algorithm(int docaValue, int digestBytes) {
      this.docaValue = docaValue;
      this.digestBytes = digestBytes;
    }

    /** Returns the length of a digest in bytes. */
    public int digestBytes() {
      return digestBytes;
    }
  }

  /**
   * Writes the digest of the source into the destination, which must have room for {@link
   * Algorithm#digestBytes}. The source has at least one byte. Answer: {@link TaskReply} without
   * checksums; {@code DOCA_ERROR_NOT_SUPPORTED} if the device lacks the algorithm.
   */
  public record Hash(
      Algorithm algorithm, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request without a tag. */
    public Hash(Algorithm algorithm, Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(algorithm, src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.SHA_HASH;
    }

    @Override
    public long argument() {
      return algorithm.docaValue;
    }

    @Override
    public long minOutputBytes() {
      return algorithm.digestBytes;
    }
  }

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
