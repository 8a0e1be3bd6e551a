package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.Decrypt;
import io.dpuactors.protocol.AesGcmProtocol.DestroyKey;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskReply;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/**
 * Authenticated encryption as streams. An encrypted element has an initialization vector of 12
 * bytes, the cipher text, and a tag of 16 bytes. An encrypted element is 28 bytes longer than the
 * plain element. The vector is also the additional data of the tag.
 *
 * <p>The tag protects one element. The tag does not detect that elements were lost, repeated or
 * reordered; number them before the encryption where this matters. The initialization vectors are
 * random, so one key may encrypt at most 2^32 elements (NIST SP 800-38D).
 *
 * <p>Each materialization creates its key in the context and destroys it at the end. The restart of
 * a context ends its keys and fails the streams that use them.
 */
public final class AesGcm {
  private static final int IV_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Direction ENCRYPTION =
      new Direction(Encrypt::new, AesGcm::newVector, 0, 0, TAG_BYTES);
  private static final Direction DECRYPTION =
      new Direction(Decrypt::new, () -> Elements.NO_HEAD, IV_BYTES, TAG_BYTES, 0);

  private AesGcm() {}

  /**
   * Encrypts each element.
   *
   * @param engine the engine of the context; an engine group has no keys
   * @param context a running AES-GCM context
   * @param key 16 or 32 bytes, with an encoding; the flow reads it at each materialization
   * @param options {@link StreamOptions#maxElementBytes} limits the plain elements
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> encrypt(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<AesGcmProtocol.Command> context,
      SecretKey key,
      StreamOptions options) {
    return flow(engine, context, key, options, ENCRYPTION, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes the plain bytes of each element, and makes its result of vector, cipher
   *     text and tag
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> encrypt(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<AesGcmProtocol.Command> context,
      SecretKey key,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return flow(engine, context, key, options, ENCRYPTION, Elements.inPlace(access));
  }

  /**
   * Decrypts each element, which {@link #encrypt} has made. The stream fails with {@code
   * DOCA_ERROR_IO_FAILED} if the key or any byte of an element differs, and with {@code
   * DOCA_ERROR_INVALID_VALUE} if an element is too short.
   *
   * @param engine the engine of the context; an engine group has no keys
   * @param context a running AES-GCM context
   * @param key 16 or 32 bytes, with an encoding; the flow reads it at each materialization
   * @param options {@link StreamOptions#maxElementBytes} limits the plain elements
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> decrypt(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<AesGcmProtocol.Command> context,
      SecretKey key,
      StreamOptions options) {
    return flow(engine, context, key, options, DECRYPTION, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes vector, cipher text and tag of each element, and makes its result of the
   *     plain bytes
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> decrypt(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<AesGcmProtocol.Command> context,
      SecretKey key,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return flow(engine, context, key, options, DECRYPTION, Elements.inPlace(access));
  }

  /** Makes the message of one task. */
  private interface Cipher {
    AesGcmProtocol.Command request(
        AesGcmProtocol.Key key,
        Parameters parameters,
        Buffer src,
        Buffer dst,
        long tag,
        ActorRef<TaskReply> replyTo);
  }

  /**
   * The differences between encryption and decryption. The vector is the first part of the source.
   * As additional data it is also in the output.
   *
   * @param cipher makes the message of a task
   * @param head makes the part of the source that the element lacks
   * @param skip number of leading bytes of the output that the result lacks
   * @param tagBytesIn bytes of the tag in the source
   * @param tagBytesOut bytes of the tag in the output
   */
  private record Direction(
      Cipher cipher, Supplier<byte[]> head, int skip, int tagBytesIn, int tagBytesOut) {
    <I, O> CompletionStage<Tasks<I, O>> open(
        Place<AesGcmProtocol.Command> place, AesGcmProtocol.Key key, Elements<I, O> elements) {
      int bytes = Math.addExact(place.options().maxElementBytes(), IV_BYTES);
      return place
          .open(
              (src, dst, replyTo) -> request(key, src, dst, replyTo),
              Math.addExact(bytes, tagBytesIn),
              Math.addExact(bytes, tagBytesOut))
          .thenApply(tasks -> Tasks.of(tasks, one -> elements.run(tasks, head.get(), one, skip)));
    }

    private AesGcmProtocol.Command request(
        AesGcmProtocol.Key key, Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      byte[] iv = new byte[IV_BYTES];
      src.bytes().get(0, iv);
      return cipher.request(key, new Parameters(iv, TAG_BYTES, IV_BYTES), src, dst, 0, replyTo);
    }
  }

  private static byte[] newVector() {
    byte[] iv = new byte[IV_BYTES];
    RANDOM.nextBytes(iv);
    return iv;
  }

  private static <I, O> Flow<I, O, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<AesGcmProtocol.Command> context,
      SecretKey key,
      StreamOptions options,
      Direction direction,
      Elements.Form<I, O> form) {
    return TaskFlow.create(
        engine,
        context,
        options,
        form,
        (place, elements) ->
            place.using(
                owner -> create(place, owner, key),
                open -> direction.open(place, open, elements),
                open -> place.destroy(replyTo -> new DestroyKey(open, replyTo))));
  }

  private static CompletionStage<AesGcmProtocol.Key> create(
      Place<AesGcmProtocol.Command> place, ObjectOwner owner, SecretKey secret) {
    byte[] bytes = secret.getEncoded();
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    Arrays.fill(bytes, (byte) 0);
    return place
        .<KeyReply>ask(replyTo -> new CreateKey(direct, owner.asOwner(), replyTo))
        .thenApply(
            reply -> {
              if (reply instanceof KeyRefused refused) {
                throw new DocaException(refused.error());
              }
              return ((KeyCreated) reply).key();
            });
  }
}
