package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.Drained;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.GetNodeStatus;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the bytes of the messages between nodes against a file, and damaged bytes. */
class FleetSerializerTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("dpu.root", ".."), "fleet/src/test/resources/wire/version-3.txt");
  private static final String JOB = "0123456789abcdef0123456789abcdef";

  private static ActorSystem<Void> system;
  private static FleetSerializer serializer;

  @BeforeAll
  static void start() throws NotSerializableException {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "dpu",
            ConfigFactory.load(
                ConfigFactory.parseString(
                        "pekko { loglevel = ERROR, stdout-loglevel = OFF, actor.provider = local }")
                    .withFallback(FleetConfig.defaults())));
    serializer = (FleetSerializer) serialization().serializerFor(FleetMessage.Drained.class);
  }

  @AfterAll
  static void end() {
    system.terminate();
  }

  private static Serialization serialization() {
    return SerializationExtension.get(Adapter.toClassic(system));
  }

  private static <T> ActorRef<T> ref() {
    return system.unsafeUpcast();
  }

  static Stream<FleetMessage> messages() {
    return Stream.of(
        new Block(JOB, 7, TaskKind.COMPRESS_DEFLATE, ref()),
        new FetchBlock(JOB, 7, ref()),
        new BlockContent(7, 3, 12, ByteString.fromString("content")),
        new BlockClosed(7),
        new BlockDone(JOB, -1, "h:1", 0xcafe, -2, ByteString.fromString("result")),
        new BlockFailed(JOB, Long.MAX_VALUE, "h:1", 17, "doca_task", "compress"),
        new Attach(FleetMessage.PROTOCOL, JOB, TaskKind.DECOMPRESS_DEFLATE, ref()),
        new Attached(JOB, TaskKind.COMPRESS_DEFLATE, "h:1"),
        new AttachRefused(JOB, TaskKind.COMPRESS_DEFLATE, "h:1", 10, "draining \u00e9"),
        new GetNodeStatus(ref()),
        new NodeStatus(
            "h:1",
            "software DPU",
            "0000:03:00.0",
            "deflate",
            1,
            2,
            3,
            4,
            5,
            6,
            true,
            Map.of("plain", 7L, "frame", 8L)),
        new Drain(ref()),
        new Drained("h:1"));
  }

  /** One line per message: manifest and bytes. A changed line is a new version of the protocol. */
  @Test
  void everyMessageHasTheBytesOfItsVersion() throws IOException {
    String lines =
        messages()
            .map(m -> serializer.manifest(m) + " " + hex(serializer.toBinary(m)) + "\n")
            .collect(Collectors.joining());
    assertThat(lines).isEqualTo(Files.readString(GOLDEN));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void everyMessageIsTested() {
    assertThat(messages().map(Object::getClass).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(FleetMessage.class.getNestMembers()).filter(Class::isRecord).toList());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsReadAsWritten(FleetMessage message) throws NotSerializableException {
    byte[] bytes = serializer.toBinary(message);
    assertThat(serializer.fromBinary(bytes, serializer.manifest(message))).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyTruncationAndEveryAdditionIsRefused(FleetMessage message) {
    byte[] bytes = serializer.toBinary(message);
    String manifest = serializer.manifest(message);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> serializer.fromBinary(part, manifest))
          .isInstanceOf(NotSerializableException.class);
    }
    byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> serializer.fromBinary(more, manifest))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("1 bytes after the last field");
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aChangedByteIsRefusedOrYieldsAMessageWithinTheLimits(FleetMessage message) {
    byte[] bytes = serializer.toBinary(message);
    for (int i = 0; i < bytes.length; i++) {
      for (int bit : List.of(0x01, 0x80, 0xff)) {
        byte[] changed = bytes.clone();
        changed[i] ^= (byte) bit;
        try {
          assertThat(serializer.fromBinary(changed, serializer.manifest(message)))
              .isInstanceOf(message.getClass());
        } catch (NotSerializableException e) {
          assertThat(e).hasMessageStartingWith(serializer.manifest(message));
        }
      }
    }
  }

  @Test
  void aMessageOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> serializer.fromBinary(new byte[0], "block/1"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessage("unknown message block/1: its sender runs another version of the fleet");
  }

  @Test
  void aJobWithAnotherIdentityIsRefused() {
    assertThatThrownBy(() -> new Attach(1, "../x", TaskKind.COMPRESS_DEFLATE, ref()))
        .hasMessageContaining("32 hexadecimal digits");
  }

  @Test
  void theLargestBlockFitsIntoTheFrame() {
    ByteString content = ByteString.fromArray(new byte[FleetMessage.MAX_BLOCK_BYTES]);
    ByteBuffer frame = ByteBuffer.allocate(2 << 20);
    serializer.toBinary(content(content), frame);
    assertThat(frame.remaining()).isGreaterThan(32 << 10);
    assertThatThrownBy(() -> content(content.concat(ByteString.fromString("x"))))
        .hasMessageContaining("the limit is " + FleetMessage.MAX_BLOCK_BYTES);
  }

  private static BlockContent content(ByteString content) {
    return new BlockContent(1, 0, content.size(), content);
  }

  private static BlockContent content(String text) {
    return content(ByteString.fromString(text));
  }

  @Test
  void aPartOutsideItsContentIsRefused() {
    ByteString part = ByteString.fromString("part");
    assertThatCode(() -> new BlockContent(1, 3, 7, part)).doesNotThrowAnyException();
    for (BlockRange range :
        List.of(
            new BlockRange(4, 7),
            new BlockRange(-1, 7),
            new BlockRange(Integer.MAX_VALUE, 7),
            new BlockRange(1, Integer.MIN_VALUE),
            new BlockRange(0, FleetMessage.MAX_BLOCK_BYTES + 1))) {
      assertThatThrownBy(() -> new BlockContent(1, range.offset(), range.total(), part))
          .as("%s", range)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private record BlockRange(int offset, int total) {}

  /** Pekko uses direct buffers again. */
  @Test
  void aMessageSharesNoBytesWithADirectBuffer() throws NotSerializableException {
    BlockContent sent = content("content");
    assertThat(readAndOverwritten(sent, ByteBuffer.allocateDirect(4096))).isEqualTo(sent);
  }

  @Test
  void aMessageKeepsTheArrayOfAReceivedFrame() throws NotSerializableException {
    BlockContent sent = content("content");
    assertThat(readAndOverwritten(sent, ByteBuffer.wrap(new byte[5000], 100, 4900).slice()))
        .isEqualTo(content("xxxxxxx"));
  }

  /** Reads a message from a frame, and then fills the frame. */
  private static Object readAndOverwritten(BlockContent sent, ByteBuffer frame)
      throws NotSerializableException {
    serializer.toBinary(sent, frame);
    Object read = serializer.fromBinary(frame.flip(), "content/2");
    frame.clear();
    while (frame.hasRemaining()) {
      frame.put((byte) 'x');
    }
    return read;
  }

  /** Messages may therefore keep the arrays of received frames, which are no direct buffers. */
  @Test
  void pekkoUsesOnlyDirectBuffersAgain() {
    EnvelopeBufferPool pool = new EnvelopeBufferPool(1024, 2);
    EnvelopeBuffer direct = pool.acquire();
    pool.release(new EnvelopeBuffer(ByteBuffer.allocate(1024)));
    pool.release(direct);
    assertThat(pool.acquire()).isSameAs(direct);
    assertThat(direct.byteBuffer().isDirect()).isTrue();
  }

  /** A block is sent again after a loss: an encoded form is a copy. */
  @Test
  void anEncodedMessageSharesNoBytesWithTheMessage() {
    BlockDone sent = new BlockDone(JOB, 1, "h:1", 2, 3, ByteString.fromString("result"));
    byte[] first = serializer.toBinary(sent);
    byte[] expected = first.clone();
    Arrays.fill(first, (byte) 'x');
    assertThat(sent.content().utf8String()).isEqualTo("result");
    assertThat(serializer.toBinary(sent)).isEqualTo(expected);
  }

  @Test
  void noOtherClassIsWritten() {
    assertThatThrownBy(() -> serializer.toBinary("text"))
        .hasMessageContaining("is no message of a fleet");
  }

  @Test
  void javaSerializationIsOff() {
    assertThat(serialization().serialize(Instant.EPOCH).isFailure()).isTrue();
  }

  @Test
  void longTextIsCut() throws NotSerializableException {
    Drained message = new Drained("x".repeat(5000));
    Object read = serializer.fromBinary(serializer.toBinary(message), "drained/1");
    assertThat(((Drained) read).node().getBytes(StandardCharsets.UTF_8))
        .hasSize(WireWriter.MAX_TEXT_BYTES);
  }
}
