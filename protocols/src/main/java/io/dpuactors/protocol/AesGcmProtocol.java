package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Messages to an AES-GCM context: authenticated encryption by NIST SP 800-38D. */
public final class AesGcmProtocol {
  private AesGcmProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits CreateKey, DestroyKey, Encrypt, Decrypt, Batch, GetCapabilities, Stop {}

  /** The answer to the command that opens an AES-GCM context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A key of one context. A restart of the context ends it. Contains none of the key's bytes. */
  public record Key(TaskHandle handle) {}

  /**
   * Creates a key. Answer: {@link KeyReply}.
   *
   * @param bytes a direct buffer with 16 or 32 bytes between position and limit. The context
   *     overwrites them with zeros before it answers.
   * @param owner the key is destroyed after this actor has ended and its tasks have completed;
   *     empty: {@link DestroyKey} or the end of the context destroys the key
   */
  public record CreateKey(ByteBuffer bytes, Optional<ActorRef<?>> owner, ActorRef<KeyReply> replyTo)
      implements Command, TaskProtocol.CreateObject {
    /** Checks the buffer. */
    public CreateKey {
      boolean isWritable = bytes.isDirect() && !bytes.isReadOnly();
      if (!isWritable || (bytes.remaining() != 16 && bytes.remaining() != 32)) {
        throw new IllegalArgumentException("a key is a writable direct buffer of 16 or 32 bytes");
      }
      bytes = bytes.slice(); // the program may change position and limit of its own buffer
    }

    /** A key that no actor owns. */
    public CreateKey(ByteBuffer bytes, ActorRef<KeyReply> replyTo) {
      this(bytes, Optional.empty(), replyTo);
    }

    @Override
    public String noun() {
      return "key";
    }

    @Override
    public String function() {
      return "key_create";
    }

    @Override
    public List<Object> arguments() {
      return List.of(bytes.slice(), bytes.remaining() == 16 ? 1 : 2);
    }

    @Override
    public void created(TaskHandle handle) {
      wipe();
      replyTo.tell(new KeyCreated(new Key(handle)));
    }

    @Override
    public void refuse(DocaError error) {
      wipe();
      replyTo.tell(new KeyRefused(error));
    }

    private void wipe() {
      bytes.duplicate().put(new byte[bytes.remaining()]);
    }
  }

  /** The answer to {@link CreateKey}. */
  public sealed interface KeyReply extends LocalMessage {}

  /** The key exists. */
  public record KeyCreated(Key key) implements KeyReply {}

  /** The device does not support the size of the key, or the context ends. */
  public record KeyRefused(DocaError error) implements KeyReply {}

  /** Destroys a key after the tasks that use it. */
  public record DestroyKey(Key key, ActorRef<TaskProtocol.ObjectDestroyed> replyTo)
      implements Command, TaskProtocol.DestroyObject {
    @Override
    public TaskHandle handle() {
      return key.handle;
    }
  }

  /**
   * Parameters of one task.
   *
   * @param iv initialization vector of 1 to 12 bytes; must never repeat under the same key
   * @param tagBytes length of the authentication tag: 12 or 16
   * @param aadBytes number of leading bytes of the source that are authenticated and not encrypted
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares parameters
  public record Parameters(byte[] iv, int tagBytes, int aadBytes)
      implements DeviceRequest.EncodedParameters {
    private static final int IV_ROOM = 12;

    /** Copies the initialization vector. */
    public Parameters {
      iv = iv.clone();
    }

    /** Parameters with a tag of 16 bytes and no additional data. */
    public Parameters(byte[] iv) {
      this(iv, 16, 0);
    }

    /** Returns a copy of the initialization vector. */
    @Override
    public byte[] iv() {
      return iv.clone();
    }

    private @Nullable String problem() {
      if (iv.length < 1 || iv.length > IV_ROOM) {
        return "an initialization vector of %d bytes; it has 1 to 12".formatted(iv.length);
      }
      if (tagBytes != 12 && tagBytes != 16) {
        return "a tag of %d bytes; it has 12 or 16".formatted(tagBytes);
      }
      return aadBytes < 0 ? "a negative size of additional data" : null;
    }

    /** Encodes {@code struct dpubridge_aead} behind its key. */
    @Override
    public void encode(ByteBuffer cell, int at) {
      cell.put(at, iv)
          .putInt(at + IV_ROOM, aadBytes)
          .put(at + IV_ROOM + Integer.BYTES, (byte) iv.length)
          .put(at + IV_ROOM + Integer.BYTES + 1, (byte) tagBytes);
    }
  }

  /** One or more tasks with a key. */
  private interface KeyTask extends DeviceRequest {
    Key key();

    @Override
    Parameters encodedParameters(int task);

    @Override
    default TaskHandle handle() {
      return key().handle;
    }

    @Override
    default @Nullable String problem(int task, long sourceBytes) {
      Parameters parameters = encodedParameters(task);
      long least = parameters.aadBytes + (isEncryption() ? 0L : parameters.tagBytes);
      String problem = parameters.problem();
      return problem == null && sourceBytes < least
          ? "%d bytes are less than additional data and tag, which have %d"
              .formatted(sourceBytes, least)
          : problem;
    }

    @Override
    default long minOutputBytes(int task, long sourceBytes) {
      int tagBytes = encodedParameters(task).tagBytes;
      return isEncryption() ? sourceBytes + tagBytes : sourceBytes - tagBytes;
    }

    private boolean isEncryption() {
      return kind() == TaskKind.AES_GCM_ENCRYPT;
    }
  }

  /**
   * Encrypts. Source: additional data, then plain text. The destination gets the additional data,
   * the cipher text of the same length, and the tag. Answer: {@link TaskReply} without checksums.
   */
  public record Encrypt(
      Key key, Parameters parameters, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, KeyTask {
    @Override
    public TaskKind kind() {
      return TaskKind.AES_GCM_ENCRYPT;
    }

    @Override
    public Parameters encodedParameters(int task) {
      return parameters;
    }
  }

  /**
   * Decrypts. Source: additional data, then cipher text, then the tag. The destination gets the
   * additional data and the plain text. Answer: {@link TaskReply} without checksums; {@code
   * DOCA_ERROR_IO_FAILED} if key, initialization vector, additional data, cipher text or tag differ
   * from those of the encryption.
   */
  public record Decrypt(
      Key key, Parameters parameters, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, KeyTask {
    @Override
    public TaskKind kind() {
      return TaskKind.AES_GCM_DECRYPT;
    }

    @Override
    public Parameters encodedParameters(int task) {
      return parameters;
    }
  }

  /**
   * Executes many tasks with one key: those of {@link Encrypt} or {@link Decrypt}, by the kind.
   * Answer: one {@link BatchReply} without checksums.
   *
   * @param parameters of each task in order. Each encryption has another initialization vector,
   *     also in each run of the batch
   */
  public record Batch(
      TaskKind kind,
      Key key,
      List<Parameters> parameters,
      TaskBatch batch,
      long tag,
      ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest, KeyTask {
    /** Checks the kind and the number of parameters. */
    public Batch {
      if (kind != TaskKind.AES_GCM_ENCRYPT && kind != TaskKind.AES_GCM_DECRYPT) {
        throw new IllegalArgumentException("no batches of " + kind);
      }
      parameters = List.copyOf(parameters);
      if (parameters.size() != batch.size()) {
        throw new IllegalArgumentException(
            "%d parameters for %d tasks".formatted(parameters.size(), batch.size()));
      }
    }

    @Override
    public Parameters encodedParameters(int task) {
      return parameters.get(task);
    }
  }

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
