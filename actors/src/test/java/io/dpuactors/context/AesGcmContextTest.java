package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.Decrypt;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the AES-GCM context through its public protocol, against the JDK's AES-GCM. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class AesGcmContextTest {
  private static final HexFormat HEX = HexFormat.of();

  /** Test cases 4 and 16 of the GCM specification by McGrew and Viega, as NIST publishes them. */
  @ParameterizedTest
  @CsvSource({
    "feffe9928665731c6d6a8f9467308308,"
        + "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091,"
        + "5bc94fbc3221a5db94fae95ae7121a47",
    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308,"
        + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662,"
        + "76fc6ece0f4e1768cddf8853bb2d551b"
  })
  void aCipherTextIsThatOfTheSpecification(String key, String cipherText, String tag) {
    byte[] aad = HEX.parseHex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    byte[] plain =
        HEX.parseHex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
    Parameters parameters = new Parameters(HEX.parseHex("cafebabefacedbaddecaf888"), 16, 20);
    try (Rig rig = new Rig()) {
      AesGcmProtocol.Key handle = rig.key(HEX.parseHex(key));
      byte[] sealed = rig.encrypt(handle, parameters, concat(aad, plain));
      assertThat(HEX.formatHex(sealed)).isEqualTo(HEX.formatHex(aad) + cipherText + tag);
      assertThat(rig.decrypt(handle, parameters, sealed)).isEqualTo(concat(aad, plain));
    }
  }

  /** Both directions of both key sizes and both tag sizes agree with javax.crypto. */
  @ParameterizedTest
  @CsvSource({"16, 16, 0", "16, 12, 7", "32, 16, 100", "32, 12, 0"})
  void cipherTextsAreThoseOfTheJdk(int keyBytes, int tagBytes, int aadBytes)
      throws GeneralSecurityException {
    Random random = new Random(keyBytes + tagBytes + aadBytes);
    byte[] key = bytes(random, keyBytes);
    byte[] iv = bytes(random, 12);
    byte[] plain = bytes(random, 5000);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * tagBytes, iv));
    cipher.updateAAD(plain, 0, aadBytes);
    byte[] expected =
        concat(
            Arrays.copyOf(plain, aadBytes),
            cipher.doFinal(plain, aadBytes, plain.length - aadBytes));
    Parameters parameters = new Parameters(iv, tagBytes, aadBytes);
    try (Rig rig = new Rig()) {
      AesGcmProtocol.Key handle = rig.key(key);
      assertThat(rig.encrypt(handle, parameters, plain)).isEqualTo(expected);
      assertThat(rig.decrypt(handle, parameters, expected)).isEqualTo(plain);
    }
  }

  @Test
  void aChangedByteOrAnotherKeyFailsTheTaskAndTheContextContinues() {
    Parameters parameters = new Parameters(new byte[12], 16, 4);
    try (Rig rig = new Rig()) {
      AesGcmProtocol.Key key = rig.key(new byte[32]);
      AesGcmProtocol.Key other = rig.key(new byte[16]);
      byte[] plain = new byte[100];
      byte[] sealed = rig.encrypt(key, parameters, plain);
      for (int changed : new int[] {0, 4, 50, sealed.length - 1}) {
        byte[] copy = sealed.clone();
        copy[changed] ^= 1;
        assertThat(rig.failed(key, parameters, copy).code()).isEqualTo(DocaCode.IO_FAILED);
      }
      assertThat(rig.failed(other, parameters, sealed).code()).isEqualTo(DocaCode.IO_FAILED);
      assertThat(rig.decrypt(key, parameters, sealed)).isEqualTo(plain);
    }
  }

  @Test
  void impossibleTasksAreRefusedWithTheReason() {
    try (Rig rig = new Rig()) {
      AesGcmProtocol.Key key = rig.key(new byte[16]);
      byte[] source = new byte[20];
      assertThat(refusal(rig, key, new Parameters(new byte[0]), source)).contains("it has 1 to 12");
      assertThat(refusal(rig, key, new Parameters(new byte[13]), source)).contains("13 bytes");
      assertThat(refusal(rig, key, new Parameters(new byte[12], 8, 0), source))
          .contains("it has 12 or 16");
      assertThat(refusal(rig, key, new Parameters(new byte[12], 16, -1), source))
          .contains("negative");
      assertThat(refusal(rig, key, new Parameters(new byte[12], 16, 5), source))
          .contains("20 bytes are less than additional data and tag, which have 21");
    }
  }

  private static String refusal(
      Rig rig, AesGcmProtocol.Key key, Parameters parameters, byte[] source) {
    Failed failed = rig.failed(key, parameters, source);
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    return failed.error().about();
  }

  /** The context overwrites the bytes of a key, and no text contains them. */
  @Test
  void theBytesOfAKeyStayInTheDevice() {
    try (Rig rig = new Rig()) {
      ByteBuffer bytes = direct("sixteen secrets!".getBytes(StandardCharsets.US_ASCII));
      CreateKey command = new CreateKey(bytes, rig.keys.getRef());
      assertThat(command.toString())
          .startsWith("CreateKey[bytes=java.nio.DirectByteBuffer[pos=0 lim=16 cap=16], owner=");
      rig.context.tell(command);
      AesGcmProtocol.Key key = ((KeyCreated) rig.keys.receiveMessage()).key();
      assertThat(key.toString()).contains("key 1 of aes-gcm on 0000:03:00.0");
      assertThat(bytes).isEqualTo(ByteBuffer.allocate(16));
    }
  }

  @Test
  void aKeyThatTheDeviceRefusesIsAnErrorAndItsBytesAreOverwritten() {
    try (Rig rig = new Rig()) {
      FreshSoftDpu.DEVICE.faults("alloc-key:fail=NO_MEMORY");
      ByteBuffer bytes = direct(bytes(new Random(1), 32));
      rig.context.tell(new CreateKey(bytes, rig.keys.getRef()));
      KeyRefused refused = (KeyRefused) rig.keys.receiveMessage();
      assertThat(refused.error().code()).isEqualTo(DocaCode.NO_MEMORY);
      assertThat(refused.error().toString()).startsWith("doca_aes_gcm_key_create");
      assertThat(bytes).isEqualTo(ByteBuffer.allocate(32));
      FreshSoftDpu.DEVICE.clearFaults();
    }
  }

  @Test
  void aKeyOfAnotherSizeOrOnTheHeapIsIllegal() {
    try (Rig rig = new Rig()) {
      assertThatThrownBy(() -> new CreateKey(ByteBuffer.allocateDirect(24), rig.keys.getRef()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a key is a writable direct buffer of 16 or 32 bytes");
      assertThatThrownBy(() -> new CreateKey(ByteBuffer.allocate(16), rig.keys.getRef()))
          .isInstanceOf(IllegalArgumentException.class);
      ByteBuffer readOnly = ByteBuffer.allocateDirect(16).asReadOnlyBuffer();
      assertThatThrownBy(() -> new CreateKey(readOnly, rig.keys.getRef()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aKeyIsThePartOfTheBufferAtTheTimeOfTheCall() {
    try (Rig rig = new Rig()) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(20);
      bytes.putInt(-1);
      CreateKey command = new CreateKey(bytes, rig.keys.getRef());
      bytes.clear();
      rig.context.tell(command);
      rig.keys.expectMessageClass(KeyCreated.class);
      assertThat(bytes.getInt(0)).as("before the key").isEqualTo(-1);
    }
  }

  /** A program may change the array of an initialization vector at once. */
  @Test
  void anInitializationVectorIsThatOfTheTimeOfTheCall() {
    try (Rig rig = new Rig()) {
      AesGcmProtocol.Key key = rig.key(new byte[16]);
      byte[] plain = new byte[100];
      byte[] expected = rig.encrypt(key, new Parameters(new byte[12]), plain);
      byte[] vector = new byte[12];
      Parameters parameters = new Parameters(vector);
      vector[11] = 1;
      parameters.iv()[10] = 1;
      assertThat(rig.encrypt(key, parameters, plain)).isEqualTo(expected);
    }
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** A context with memory; its engine has an empty census at the end. */
  private static final class Rig implements AutoCloseable {
    private final RunningSystem system = RunningSystem.create();
    private final TestProbe<KeyReply> keys = system.kit.createTestProbe();
    private final TestProbe<TaskReply> replies = system.kit.createTestProbe();
    private final BufferPool pool = system.pool(2, 8192);
    private final ActorRef<AesGcmProtocol.Command> context;

    Rig() {
      TestProbe<AesGcmProtocol.OpenReply> opened = system.kit.createTestProbe();
      system.engine.tell(
          new EngineProtocol.OpenAesGcm("aes", TaskOptions.defaults(), opened.getRef()));
      context = ((AesGcmProtocol.Opened) opened.receiveMessage()).context();
    }

    AesGcmProtocol.Key key(byte[] bytes) {
      context.tell(new CreateKey(direct(bytes), keys.getRef()));
      return ((KeyCreated) keys.receiveMessage()).key();
    }

    byte[] encrypt(AesGcmProtocol.Key key, Parameters parameters, byte[] source) {
      context.tell(
          new Encrypt(key, parameters, buffer(pool, source), buffer(pool), 7, replies.getRef()));
      return output((Completed) replies.receiveMessage());
    }

    byte[] decrypt(AesGcmProtocol.Key key, Parameters parameters, byte[] source) {
      sendDecrypt(key, parameters, source);
      return output((Completed) replies.receiveMessage());
    }

    Failed failed(AesGcmProtocol.Key key, Parameters parameters, byte[] source) {
      sendDecrypt(key, parameters, source);
      Failed failed = (Failed) replies.receiveMessage();
      releaseBuffers(failed);
      return failed;
    }

    private void sendDecrypt(AesGcmProtocol.Key key, Parameters parameters, byte[] source) {
      context.tell(
          new Decrypt(key, parameters, buffer(pool, source), buffer(pool), 8, replies.getRef()));
    }

    private static byte[] output(Completed done) {
      byte[] content = new byte[done.dst().length()];
      done.dst().bytes().get(0, content);
      releaseBuffers(done);
      return content;
    }

    @Override
    public void close() {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      system.close();
    }
  }
}
