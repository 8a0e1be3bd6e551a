package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits.Variant;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the SHA context through its public protocol. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ShaContextTest {
  private static final String TWO_BLOCKS =
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  private static final String TWO_LONG_BLOCKS =
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

  /** The examples of FIPS 180, and the message of one million letters. */
  static Stream<Arguments> knownAnswers() {
    String million = "a".repeat(1_000_000);
    return Stream.of(
        Arguments.of(Algorithm.SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        Arguments.of(Algorithm.SHA1, TWO_BLOCKS, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        Arguments.of(Algorithm.SHA1, million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        Arguments.of(
            Algorithm.SHA256,
            "abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Arguments.of(
            Algorithm.SHA256,
            TWO_BLOCKS,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Arguments.of(
            Algorithm.SHA256,
            million,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        Arguments.of(
            Algorithm.SHA512,
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
        Arguments.of(
            Algorithm.SHA512,
            TWO_LONG_BLOCKS,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"),
        Arguments.of(
            Algorithm.SHA512,
            million,
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"));
  }

  @ParameterizedTest
  @MethodSource("knownAnswers")
  void aDigestIsThatOfTheStandard(Algorithm algorithm, String message, String digest) {
    try (RunningSystem system = RunningSystem.create()) {
      byte[] content = message.getBytes(StandardCharsets.US_ASCII);
      BufferPool sources = system.pool(1, content.length);
      BufferPool digests = system.pool(1, algorithm.digestBytes());
      ActorRef<ShaProtocol.Command> sha = system.openedSha("sha", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      sha.tell(new Hash(algorithm, buffer(sources, content), buffer(digests), 7, replies.getRef()));
      Completed done = (Completed) replies.receiveMessage();
      assertThat(done.tag()).isEqualTo(7);
      assertThat(hex(done.dst())).isEqualTo(digest);
      assertThat(done.crc32()).isZero();
      assertThat(done.checksum()).isZero();
      releaseBuffers(done);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** One byte less than the digest needs is refused; the context continues. */
  @ParameterizedTest
  @CsvSource({"SHA1, 20", "SHA256, 32", "SHA512, 64"})
  void aDestinationWithoutRoomForTheDigestIsRefused(Algorithm algorithm, int digest) {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool small = system.pool(2, digest - 1);
      BufferPool exact = system.pool(2, digest);
      ActorRef<ShaProtocol.Command> sha = system.openedSha("sha", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      sha.tell(new Hash(algorithm, buffer(exact, (byte) 1), buffer(small), replies.getRef()));
      expectInvalid(replies, digest + " bytes do not fit into " + (digest - 1));
      sha.tell(new Hash(algorithm, buffer(exact), buffer(exact), replies.getRef()));
      expectInvalid(replies, "empty");
      sha.tell(new Hash(algorithm, buffer(small, (byte) 1), buffer(exact), replies.getRef()));
      TaskReply after = replies.receiveMessage();
      assertThat(after).isInstanceOf(Completed.class);
      releaseBuffers(after);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void capabilitiesHaveTheLimitsOfTheDevice() {
    FreshSoftDpu.DEVICE.profile("bluefield2");
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<ShaProtocol.Command> sha = system.openedSha("sha", TaskOptions.defaults());
      TestProbe<TaskCapabilities> probe = system.kit.createTestProbe();
      sha.tell(new ShaProtocol.GetCapabilities(probe.getRef()));
      TaskCapabilities capabilities = probe.receiveMessage();
      assertThat(capabilities.limits())
          .containsOnlyKeys(TaskKind.SHA_HASH, TaskKind.SHA_PARTIAL_HASH);
      assertThat(capabilities.of(TaskKind.SHA_HASH).maxBufferBytes()).isEqualTo(2 << 20);
      assertThat(capabilities.of(TaskKind.SHA_HASH).maxListLength()).isEqualTo(64);
      assertThat(capabilities.of(TaskKind.SHA_HASH).variants())
          .containsExactly(
              new Variant(true, 1, 20), new Variant(true, 1, 32), new Variant(true, 1, 64));
      assertThat(capabilities.of(TaskKind.SHA_PARTIAL_HASH).variants())
          .containsExactly(
              new Variant(true, 64, 20), new Variant(true, 64, 32), new Variant(true, 128, 64));
      assertThat(capabilities.maxTasks()).isEqualTo(8192);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aDeviceWithoutShaIsATypedFailure() {
    FreshSoftDpu.DEVICE.profile("bluefield3");
    try (RunningSystem system = RunningSystem.create()) {
      ShaProtocol.OpenFailed failed =
          (ShaProtocol.OpenFailed) system.openSha("sha", TaskOptions.defaults());
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      assertThat(failed.error().about()).contains("no device offers hashes (SHA)");
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aWindowBeyondTheDeviceNamesTheLimit() {
    try (RunningSystem system = RunningSystem.create()) {
      ShaProtocol.OpenFailed failed =
          (ShaProtocol.OpenFailed) system.openSha("sha", TaskOptions.defaults().withWindow(8193));
      assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about()).contains("limit").contains("8192");
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static String hex(Buffer buffer) {
    byte[] content = new byte[buffer.length()];
    buffer.bytes().get(0, content);
    return HexFormat.of().formatHex(content);
  }

  private static void expectInvalid(TestProbe<TaskReply> replies, String why) {
    Failed failed = (Failed) replies.receiveMessage();
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.error().about()).contains(why);
    releaseBuffers(failed);
  }
}
