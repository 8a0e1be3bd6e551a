package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.Decrypt;
import io.dpuactors.protocol.AesGcmProtocol.DestroyKey;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Encryption and decryption, compared with the JDK's. Decryption of damaged input must fail. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class AesGcmModel implements TaskModel {
  private static final int MAX_IV = 12;
  private static final int MAX_TAG = 16;

  private byte[] secret = {};
  private AesGcmProtocol.@Nullable Key key;

  /**
   * An encryption or a decryption.
   *
   * @param fails whether the input is damaged
   */
  private record Crypt(
      TaskKind kind,
      byte[] input,
      AesGcmProtocol.Key key,
      Parameters parameters,
      byte[] expected,
      boolean fails)
      implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return kind == TaskKind.AES_GCM_ENCRYPT
          ? new Encrypt(key, parameters, src, dst, tag, replyTo)
          : new Decrypt(key, parameters, src, dst, tag, replyTo);
    }

    @Override
    public Object batchKey() {
      return kind;
    }

    @Override
    public Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      List<Parameters> all = works.stream().map(work -> ((Crypt) work).parameters).toList();
      return new AesGcmProtocol.Batch(kind, key, all, batch, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return !fails && Arrays.equals(output, expected);
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.AES_GCM;
  }

  @Override
  public @Nullable Object create(Run run, ActorRef<Object> replyTo) {
    if (key != null) {
      return null;
    }
    secret = new byte[run.oneOf(16, 32)];
    run.fill(secret);
    return new CreateKey(
        ByteBuffer.allocateDirect(secret.length).put(secret).flip(), replyTo.narrow());
  }

  @Override
  public boolean created(Object reply) {
    if (reply instanceof KeyCreated created) {
      key = created.key();
      return true;
    }
    return false;
  }

  @Override
  public @Nullable Object destroy(ActorRef<Object> replyTo) {
    AesGcmProtocol.Key destroyed = key;
    key = null;
    return destroyed == null ? null : new DestroyKey(destroyed, replyTo.narrow());
  }

  @Override
  public void forget() {
    key = null;
  }

  @Override
  public Work draw(Run run) {
    byte[] iv = new byte[run.draw(1, MAX_IV)];
    run.fill(iv);
    byte[] plain = Arrays.copyOf(TaskModel.text(run), run.draw(1, MAX_INPUT - MAX_TAG));
    Parameters parameters = new Parameters(iv, run.oneOf(12, MAX_TAG), run.draw(0, plain.length));
    byte[] sealed = encrypt(parameters, plain);
    AesGcmProtocol.Key used = Objects.requireNonNull(key);
    if (run.chance(50)) {
      return new Crypt(TaskKind.AES_GCM_ENCRYPT, plain, used, parameters, sealed, false);
    }
    boolean isDamaged = run.chance(10);
    if (isDamaged) {
      sealed[run.draw(0, sealed.length - 1)] ^= 1;
    }
    return new Crypt(TaskKind.AES_GCM_DECRYPT, sealed, used, parameters, plain, isDamaged);
  }

  private byte[] encrypt(Parameters parameters, byte[] plain) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(secret, "AES"),
          new GCMParameterSpec(parameters.tagBytes() * Byte.SIZE, parameters.iv()));
      int aad = parameters.aadBytes();
      cipher.updateAAD(plain, 0, aad);
      byte[] sealed = Arrays.copyOf(plain, plain.length + parameters.tagBytes());
      cipher.doFinal(plain, aad, plain.length - aad, sealed, aad);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // each JDK has the algorithm
    }
  }
}
