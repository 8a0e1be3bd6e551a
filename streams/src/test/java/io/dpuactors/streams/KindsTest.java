package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.BYTES;
import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Cauchy;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.streams.StreamRig.Result;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the result of each flow of tasks against the JDK's implementation. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class KindsTest {
  private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");

  @Test
  void theJdkInflatesWhatTheFlowDeflates() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(elements(50), Deflate.flow(rig.system.engine, rig.compress(), options()));
      assertThat(result.elements().stream().map(KindsTest::inflated).toList())
          .isEqualTo(elements(50));
    }
  }

  @Test
  void theFlowInflatesWhatTheJdkDeflates() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(
              elements(50).stream().map(KindsTest::deflated).toList(),
              Inflate.flow(rig.system.engine, rig.compress(), options()));
      assertThat(result.elements()).isEqualTo(elements(50));
    }
  }

  @Test
  void anElementOfTheLargestSizeThatDoesNotCompressPassesBothWays() throws Exception {
    byte[] bytes = new byte[1 << 20];
    new Random(1).nextBytes(bytes);
    List<ByteString> elements = List.of(ByteString.fromArray(bytes));
    StreamOptions options = StreamOptions.of(bytes.length);
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<CompressProtocol.Command> compress = rig.compress();
      Result result =
          rig.run(
              elements,
              Deflate.flow(rig.system.engine, compress, options)
                  .via(Inflate.flow(rig.system.engine, compress, options)));
      assertThat(result.elements()).isEqualTo(elements);
      rig.awaitReleased(); // only the first flow has reported its end
    }
  }

  @Test
  void dmaCopiesEachElement() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result = rig.run(elements(50), Dma.flow(rig.system.engine, rig.dma(), options()));
      assertThat(result.elements()).isEqualTo(elements(50));
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shaEmitsTheDigestOfTheJdk(Algorithm algorithm) throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(elements(20), Sha.flow(rig.system.engine, rig.sha(), algorithm, options()));
      assertThat(result.elements())
          .isEqualTo(elements(20).stream().map(one -> digest(algorithm, one)).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 32})
  void theJdkDecryptsWhatTheFlowEncrypts(int keyBytes) throws Exception {
    SecretKey key = new SecretKeySpec(new byte[keyBytes], "AES");
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.aes();
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> encrypt =
          AesGcm.encrypt(rig.system.engine, aes, key, options());
      Result result = rig.run(elements(20), encrypt);
      assertThat(result.elements().stream().map(one -> decrypted(key, one)).toList())
          .isEqualTo(elements(20));
      assertThat(result.elements().stream().map(one -> one.take(12)).distinct()).hasSize(20);
      assertThat(
              rig.run(
                      elements(20),
                      encrypt.via(AesGcm.decrypt(rig.system.engine, aes, key, options())))
                  .elements())
          .isEqualTo(elements(20));
      rig.awaitReleased(); // only the first flow of the last stream has reported its end
    }
  }

  @Test
  void aDeadlineMayBeForEver() throws Exception {
    StreamOptions forEver = options().withDeadline(ChronoUnit.FOREVER.getDuration());
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(elements(2), AesGcm.encrypt(rig.system.engine, rig.aes(), KEY, forEver));
      assertThat(result.elements().stream().map(one -> decrypted(KEY, one)).toList())
          .isEqualTo(elements(2));
    }
  }

  @Test
  void anElementThatWasChangedFailsTheDecryption() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.aes();
      ByteString encrypted =
          rig.run(elements(1), AesGcm.encrypt(rig.system.engine, aes, KEY, options()))
              .elements()
              .get(0);
      for (int at : new int[] {0, 12, encrypted.size() - 1}) {
        byte[] changed = encrypted.toArray();
        changed[at] ^= 1;
        assertThat(decryption(rig, aes, ByteString.fromArray(changed)))
            .isEqualTo(DocaCode.IO_FAILED);
      }
      assertThat(decryption(rig, aes, encrypted.take(27))).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(decryption(rig, aes, encrypted.take(5))).isEqualTo(DocaCode.INVALID_VALUE);
    }
  }

  private static DocaCode decryption(
      StreamRig rig, ActorRef<AesGcmProtocol.Command> aes, ByteString element) throws Exception {
    CompletionStage<StreamStatistics> end =
        Source.single(element)
            .viaMat(AesGcm.decrypt(rig.system.engine, aes, KEY, options()), Keep.right())
            .to(Sink.ignore())
            .run(rig.system.kit.system());
    return docaFailure(end).error().code();
  }

  @Test
  void aKeyThatTheContextRefusesFailsTheStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.system.kit.system().ignoreRef();
      CompletionStage<StreamStatistics> end =
          Source.<ByteString>maybe()
              .viaMat(
                  AesGcm.encrypt(
                      rig.system.engine, aes, KEY, options().withDeadline(Duration.ofMillis(200))),
                  Keep.right())
              .to(Sink.ignore())
              .run(rig.system.kit.system());
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.TIME_OUT);
    }
  }

  @Test
  void missingBlocksAreRecovered() throws Exception {
    int block = 64;
    List<ByteString> data = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 10; i++) {
      byte[] bytes = new byte[4 * block];
      random.nextBytes(bytes);
      data.add(ByteString.fromArray(bytes));
    }
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ErasureCodingProtocol.Command> coding = rig.erasureCoding();
      Cauchy matrix = new Cauchy(4, 2);
      List<ByteString> redundancy =
          rig.run(data, ErasureCoding.create(rig.system.engine, coding, matrix, options()))
              .elements();
      assertThat(redundancy).hasSize(10).allMatch(one -> one.size() == 2 * block);
      List<ByteString> available = new ArrayList<>();
      for (int i = 0; i < 10; i++) { // the blocks 0 and 2 are missing
        ByteString blocks = data.get(i);
        available.add(
            blocks
                .slice(block, 2 * block)
                .concat(blocks.drop(3 * block))
                .concat(redundancy.get(i)));
      }
      List<ByteString> missing =
          rig.run(
                  available,
                  ErasureCoding.recover(
                      rig.system.engine, coding, matrix, List.of(0, 2), options()))
              .elements();
      for (int i = 0; i < 10; i++) {
        assertThat(missing.get(i))
            .isEqualTo(data.get(i).take(block).concat(data.get(i).slice(2 * block, 3 * block)));
      }
    }
  }

  @Test
  void aMatrixThatIsNotPossibleFailsTheStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<StreamStatistics> end =
          Source.<ByteString>maybe()
              .viaMat(
                  ErasureCoding.recover(
                      rig.system.engine,
                      rig.erasureCoding(),
                      new Cauchy(4, 2),
                      List.of(0, 1, 2),
                      options()),
                  Keep.right())
              .to(Sink.ignore())
              .run(rig.system.kit.system());
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    }
  }

  @Test
  void anElementThatIsTooLongFailsTheStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<StreamStatistics> end =
          Source.single(ByteString.fromArray(new byte[BYTES + 1]))
              .viaMat(Deflate.flow(rig.system.engine, rig.compress(), options()), Keep.right())
              .to(Sink.ignore())
              .run(rig.system.kit.system());
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(docaFailure(end)).hasMessageContaining((BYTES + 1) + " bytes");
    }
  }

  static ByteString digest(Algorithm algorithm, ByteString element) {
    try {
      String name = algorithm.name().replace("SHA", "SHA-");
      return ByteString.fromArray(MessageDigest.getInstance(name).digest(element.toArray()));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static ByteString decrypted(SecretKey key, ByteString element) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      byte[] iv = element.take(12).toArray();
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
      cipher.updateAAD(iv);
      return ByteString.fromArray(cipher.doFinal(element.drop(12).toArray()));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static ByteString inflated(ByteString element) {
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(element.toArray()), new Inflater(true))) {
      return ByteString.fromArray(in.readAllBytes());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteString deflated(ByteString element) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_SPEED, true))) {
      out.write(element.toArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return ByteString.fromArray(bytes.toByteArray());
  }
}
