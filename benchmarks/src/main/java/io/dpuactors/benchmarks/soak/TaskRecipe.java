package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.DestroyKey;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.DestroyMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * How requests to a library of tasks are made and checked: a row of the table {@link #all}.
 *
 * @param <O> an object of the context that the requests use, such as a key
 * @param library of the context
 * @param create creates an object; null: the context creates none now
 * @param destroy destroys an object after the requests that use it
 * @param make makes a request
 * @param check returns whether a completed request has the right data
 */
record TaskRecipe<O>(
    TaskLibrary library,
    Creation<O> create,
    Destruction<O> destroy,
    Making<O> make,
    Checking<O> check) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;

  interface Creation<O> {
    @Nullable O in(SoakSystem system, ActorRef<LocalMessage> context);
  }

  interface Destruction<O> {
    void in(SoakSystem system, ActorRef<LocalMessage> context, O object);
  }

  interface Making<O> {
    LocalMessage of(O object, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);
  }

  interface Checking<O> {
    boolean isRight(O object, Completed done);
  }

  /** Makes a request without an object. */
  private interface Plain {
    LocalMessage of(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);
  }

  /** A key of a context, and its bytes. */
  private record KnownKey(AesGcmProtocol.Key key, SecretKeySpec bytes) {}

  /** Returns the rows. */
  static Map<Kind, TaskRecipe<?>> all() {
    Map<Kind, TaskRecipe<?>> all = new EnumMap<>(Kind.class);
    all.put(Kind.COMPRESS, plain(TaskLibrary.COMPRESS, Deflate::new, TaskRecipe::isDeflated));
    all.put(Kind.DMA, plain(TaskLibrary.DMA, Copy::new, TaskRecipe::isCopied));
    all.put(
        Kind.SHA,
        plain(
            TaskLibrary.SHA,
            (src, dst, tag, me) -> new Hash(Algorithm.SHA256, src, dst, tag, me),
            TaskRecipe::isHashed));
    all.put(
        Kind.AES_GCM,
        new TaskRecipe<KnownKey>(
            TaskLibrary.AES_GCM,
            TaskRecipe::createKey,
            TaskRecipe::destroyKey,
            (known, src, dst, tag, me) ->
                new Encrypt(known.key(), new Parameters(iv(tag)), src, dst, tag, me),
            TaskRecipe::isEncrypted));
    all.put(
        Kind.ERASURE_CODING,
        new TaskRecipe<Matrix>(
            TaskLibrary.ERASURE_CODING,
            TaskRecipe::createMatrix,
            TaskRecipe::destroyMatrix,
            Create::new,
            (matrix, done) -> isParity(done)));
    return all;
  }

  private static TaskRecipe<Boolean> plain(
      TaskLibrary library, Plain plain, Predicate<Completed> check) {
    return new TaskRecipe<>(
        library,
        (system, context) -> true,
        (system, context, none) -> {},
        (none, src, dst, tag, me) -> plain.of(src, dst, tag, me),
        (none, done) -> check.test(done));
  }

  private static boolean isDeflated(Completed done) {
    CRC32 crc = new CRC32();
    crc.update(SoakBuffers.content(done.src()));
    return done.dst().length() > 0 && done.crc32() == (int) crc.getValue();
  }

  private static boolean isCopied(Completed done) {
    return SoakBuffers.content(done.src()).equals(SoakBuffers.content(done.dst()));
  }

  private static boolean isHashed(Completed done) {
    MessageDigest digest = sha256();
    digest.update(SoakBuffers.content(done.src()));
    return ByteBuffer.wrap(digest.digest()).equals(SoakBuffers.content(done.dst()));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance(Algorithm.SHA256.standardName());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable KnownKey createKey(SoakSystem system, ActorRef<LocalMessage> context) {
    byte[] random = new byte[KEY_BYTES];
    RANDOM.nextBytes(random);
    ByteBuffer bytes = ByteBuffer.allocateDirect(KEY_BYTES).put(random).flip();
    KeyReply reply = system.ask(context, me -> new CreateKey(bytes, me));
    return reply instanceof KeyCreated created
        ? new KnownKey(created.key(), new SecretKeySpec(random, "AES"))
        : null;
  }

  private static void destroyKey(
      SoakSystem system, ActorRef<LocalMessage> context, KnownKey known) {
    system.<LocalMessage, ObjectDestroyed>ask(context, me -> new DestroyKey(known.key(), me));
  }

  /** The tag of a request is in no other request. */
  private static byte[] iv(long tag) {
    return ByteBuffer.allocate(IV_BYTES).putLong(tag).array();
  }

  private static boolean isEncrypted(KnownKey known, Completed done) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, known.bytes(), new GCMParameterSpec(TAG_BITS, iv(done.tag())));
      byte[] plain = new byte[done.src().length()];
      SoakBuffers.content(done.src()).get(plain);
      return ByteBuffer.wrap(cipher.doFinal(plain)).equals(SoakBuffers.content(done.dst()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Creates a matrix of one redundancy block, which is the exclusive or of two data blocks. */
  private static @Nullable Matrix createMatrix(SoakSystem system, ActorRef<LocalMessage> context) {
    Definition ones = new Definition.Custom(new byte[] {1, 1}, 2, 1);
    MatrixReply reply = system.ask(context, me -> new CreateMatrix(ones, me));
    return reply instanceof MatrixCreated created ? created.matrix() : null;
  }

  private static void destroyMatrix(
      SoakSystem system, ActorRef<LocalMessage> context, Matrix matrix) {
    system.<LocalMessage, ObjectDestroyed>ask(context, me -> new DestroyMatrix(matrix, me));
  }

  private static boolean isParity(Completed done) {
    ByteBuffer data = SoakBuffers.content(done.src());
    ByteBuffer parity = SoakBuffers.content(done.dst());
    int block = data.limit() / 2;
    boolean isRight = parity.limit() == block;
    for (int i = 0; i < block && isRight; i += Long.BYTES) {
      isRight = parity.getLong(i) == (data.getLong(i) ^ data.getLong(block + i));
    }
    return isRight;
  }
}
