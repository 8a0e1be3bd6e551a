package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.Decrypt;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts or decrypts the blocks of one file with the device. In the buffers, the header precedes
 * each block: the device reads it as additional data. Thread: the job's.
 *
 * <pre>
 *   plain       [ header | content ]
 *   encrypted   [ header | cipher text | tag ]
 * </pre>
 */
final class BlockCipher implements AutoCloseable {
  /** Bytes of a buffer before the content. */
  static final int HEADER_BYTES = EncryptedHeader.BYTES;

  /** Bytes of a buffer that are not content. */
  static final int EXTRA_BYTES = HEADER_BYTES + FileCipher.TAG_BYTES;

  private final Path input;
  private final FileCipher cipher;
  private AesGcmProtocol.@Nullable Key key;

  /** Whether the device has processed a block. */
  private boolean isKeyRight;

  /**
   * Creates an object without the key of the context.
   *
   * @param input the file of the messages
   */
  BlockCipher(Path input, FileCipher cipher) {
    this.input = input;
    this.cipher = cipher;
  }

  /** Returns the header of the encrypted file. */
  byte[] header() {
    return cipher.header();
  }

  /** Returns a copy of the file key, which the context overwrites. */
  ByteBuffer keyBytes() {
    return cipher.key();
  }

  /** Takes the key that the context has created. */
  void created(AesGcmProtocol.Key created) {
    key = created;
  }

  /** Returns the request that encrypts the block's source, which begins with the header. */
  TaskRequest encrypt(Block block, ActorRef<TaskReply> replyTo) {
    return new Encrypt(
        created(), parameters(block), block.src(), block.dst(), block.number, replyTo);
  }

  /** Returns the request that decrypts the block's source, which begins with the header. */
  TaskRequest decrypt(Block block, ActorRef<TaskReply> replyTo) {
    return new Decrypt(
        created(), parameters(block), block.src(), block.dst(), block.number, replyTo);
  }

  private AesGcmProtocol.Key created() {
    if (key == null) {
      throw new IllegalStateException("there is no key");
    }
    return key;
  }

  private static Parameters parameters(Block block) {
    return new Parameters(
        FileCipher.nonce(block.number, block.last), FileCipher.TAG_BYTES, HEADER_BYTES);
  }

  /**
   * Checks the size of the result.
   *
   * @param growth difference of the sizes of result and source
   */
  void check(Block block, int growth) throws FileException {
    BlockCheck.requireBytes(input, block, block.src().length() + growth);
    isKeyRight = true;
  }

  /** Returns the content of a plain buffer, or cipher text and tag of an encrypted one. */
  static ByteBuffer content(Buffer buffer) {
    return BlockCheck.content(buffer).position(HEADER_BYTES);
  }

  /**
   * Returns the failure of a decryption. The device reports the same error for a block that is not
   * authentic and for other failures, so the CPU authenticates the block.
   */
  FileFailure explain(Block block, TaskReply.Failed reply) {
    boolean isReturned = reply.ownership() == TaskReply.Ownership.RETURNED;
    ByteBuffer source = isReturned ? BlockCheck.content(block.src()) : null;
    if (source == null || cipher.authenticates(source, block.number, block.last)) {
      return FileFailure.atBlock(input, block.number, reply.error());
    }
    if (cipher.authenticates(source, block.number, !block.last)) {
      return damaged(
          block.last
              ? "truncated: the file ends after block %d, which is not the last"
                  .formatted(block.number)
              : "damaged: bytes follow block %d, which is the last".formatted(block.number));
    }
    return damaged(
        "%s: block %d is not authentic"
            .formatted(isKeyRight ? "damaged" : "wrong key, or damaged", block.number));
  }

  private FileFailure damaged(String how) {
    return FileFailure.of(Kind.INPUT, input, how);
  }

  /** Overwrites the file key. Idempotent. */
  @Override
  public void close() {
    cipher.close();
  }
}
