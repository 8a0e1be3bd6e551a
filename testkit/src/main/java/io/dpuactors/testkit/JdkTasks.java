package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.DeviceRequest.EncodedParameters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Executes tasks by the JDK: the outputs and checksums of a device. The bytes of a deflate stream
 * may differ from those of a device; the decompressed bytes do not.
 */
final class JdkTasks {
  /** Bytes of the initialization vector in the encoded parameters; the next fields follow. */
  private static final int IV_ROOM = 12;

  private static final int LAST_PART = 1 << 24;
  private static final int DEFLATE_LEVEL = 1;

  private JdkTasks() {}

  /**
   * Executes a task.
   *
   * @param input content of the source
   * @param room bytes of the destination
   * @param argument as {@link DeviceRequest#argument}
   * @param object state of the task's object; null: none
   * @param parameters as {@link DeviceRequest#encodedParameters}
   * @throws TaskFailure with the code of a device
   */
  static TaskResult run(
      TaskKind kind,
      byte[] input,
      int room,
      long argument,
      @Nullable TaskObject object,
      @Nullable EncodedParameters parameters) {
    return switch (kind) {
      case COMPRESS_DEFLATE -> TaskResult.ofDeflate(deflate(input, room), input);
      case DECOMPRESS_DEFLATE -> {
        byte[] plain = inflate(input, room);
        yield TaskResult.ofDeflate(plain, plain);
      }
      case DECOMPRESS_LZ4_BLOCK -> TaskResult.ofLz4(Lz4.block(input, room));
      case DECOMPRESS_LZ4_STREAM ->
          TaskResult.ofLz4(Lz4.stream(input, room, (argument & 1) != 0, (argument & 2) != 0));
      case DMA_MEMCPY -> TaskResult.of(input);
      case SHA_HASH -> TaskResult.of(digest((int) argument).digest(input));
      case SHA_PARTIAL_HASH -> TaskResult.of(part(argument, session(object), input));
      case AES_GCM_ENCRYPT -> TaskResult.of(cipher(Cipher.ENCRYPT_MODE, input, object, parameters));
      case AES_GCM_DECRYPT -> TaskResult.of(cipher(Cipher.DECRYPT_MODE, input, object, parameters));
      case EC_CREATE, EC_RECOVER, EC_UPDATE ->
          TaskResult.of(((TaskObject.Matrix) required(object)).matrix().encode(input));
      default -> throw new IllegalArgumentException(kind + " is no task between buffers");
    };
  }

  private static byte[] deflate(byte[] input, int room) {
    Deflater deflater = new Deflater(DEFLATE_LEVEL, true);
    try {
      deflater.setInput(input);
      deflater.finish();
      byte[] output = new byte[room];
      int produced = deflater.deflate(output);
      return fitting(deflater.finished(), output, produced);
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflate(byte[] input, int room) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(input);
      byte[] output = new byte[room + 1]; // the JDK needs room to detect the end
      int produced = inflater.inflate(output);
      return fitting(inflater.finished() && produced <= room, output, produced);
    } catch (DataFormatException e) {
      throw new TaskFailure(DocaCode.IO_FAILED);
    } finally {
      inflater.end();
    }
  }

  private static byte[] fitting(boolean fits, byte[] output, int produced) {
    if (!fits) {
      throw new TaskFailure(DocaCode.IO_FAILED);
    }
    return Arrays.copyOf(output, produced);
  }

  private static MessageDigest digest(int algorithm) {
    String name =
        switch (algorithm) {
          case 0 -> "SHA-1";
          case 1 -> "SHA-256";
          case 2 -> "SHA-512";
          default -> throw new TaskFailure(DocaCode.INVALID_VALUE);
        };
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without " + name, e);
    }
  }

  /** Returns whether the argument of a partial hash is that of the last part. */
  static boolean isLastPart(long argument) {
    return (argument & LAST_PART) != 0;
  }

  /** Hashes a part; returns the digest after the last one. */
  private static byte[] part(long argument, TaskObject.Session session, byte[] input) {
    MessageDigest digest = session.digest();
    if (digest == null) {
      digest = digest((int) (argument >> 16) & 0xff);
      session.begin(digest);
    }
    digest.update(input);
    return isLastPart(argument) ? digest.digest() : new byte[0];
  }

  /** Encrypts or decrypts {@code struct dpubridge_aead}: additional data stay in front. */
  private static byte[] cipher(
      int mode, byte[] input, @Nullable TaskObject object, @Nullable EncodedParameters parameters) {
    ByteBuffer encoded =
        ByteBuffer.allocate(EncodedParameters.BYTES).order(ByteOrder.nativeOrder());
    Objects.requireNonNull(parameters, "parameters").encode(encoded, 0);
    int aadBytes = encoded.getInt(IV_ROOM);
    int ivBytes = encoded.get(IV_ROOM + Integer.BYTES);
    int tagBits = Byte.SIZE * encoded.get(IV_ROOM + Integer.BYTES + 1);
    byte[] iv = Arrays.copyOf(encoded.array(), ivBytes);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          mode, ((TaskObject.Key) required(object)).key(), new GCMParameterSpec(tagBits, iv));
      cipher.updateAAD(input, 0, aadBytes);
      byte[] text = cipher.doFinal(input, aadBytes, input.length - aadBytes);
      return ByteBuffer.allocate(aadBytes + text.length).put(input, 0, aadBytes).put(text).array();
    } catch (GeneralSecurityException e) {
      throw new TaskFailure(DocaCode.IO_FAILED);
    }
  }

  private static TaskObject.Session session(@Nullable TaskObject object) {
    return (TaskObject.Session) required(object);
  }

  private static TaskObject required(@Nullable TaskObject object) {
    return Objects.requireNonNull(object, "the object of the task");
  }
}
