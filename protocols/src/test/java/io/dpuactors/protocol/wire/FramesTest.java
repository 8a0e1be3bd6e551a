package io.dpuactors.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.protocol.wire.FrameException.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
  private static byte[] payload(int bytes) {
    byte[] payload = new byte[bytes];
    new Random(bytes).nextBytes(payload);
    return payload;
  }

  private static List<byte[]> split(Frames frames, byte[] payload) {
    List<byte[]> messages = new ArrayList<>();
    frames.split(payload).forEachRemaining(messages::add);
    return messages;
  }

  private static void refused(Reassembler reassembler, byte[] message, Problem problem) {
    assertThatThrownBy(() -> reassembler.accept(message))
        .isInstanceOfSatisfying(
            FrameException.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 21",
    "1, 21",
    "2, 21",
    "1, 4080",
    "4059, 4080",
    "4060, 4080",
    "4061, 4080",
    "8120, 4080",
    "8121, 4080",
    "65536, 4080",
    "65537, 4080",
    "1000000, 4080",
    "200000, 100",
    "5, 2147483647"
  })
  void framesAreReassembled(int bytes, int messageBytes) throws FrameException {
    Frames frames = Frames.create(messageBytes);
    Reassembler reassembler = Reassembler.create(bytes);
    for (int round = 0; round < 3; round++) {
      byte[] payload = payload(bytes);
      List<byte[]> messages = split(frames, payload);
      assertThat(messages).hasSize(frames.count(bytes));
      assertThat(messages).allMatch(m -> m.length <= messageBytes);
      for (byte[] message : messages.subList(0, messages.size() - 1)) {
        assertThat(reassembler.accept(message)).isEmpty();
        assertThat(reassembler.isInside()).isTrue();
      }
      assertThat(reassembler.accept(messages.get(messages.size() - 1))).contains(payload);
      assertThat(reassembler.isInside()).isFalse();
    }
  }

  @Test
  void theNumberOfAPayloadWrapsAround() throws FrameException {
    FrameHeader last = new FrameHeader(-1, 3, 0, 3);
    assertThat(FrameHeader.of(last.message(payload(3)))).isEqualTo(last);
    assertThat(last).hasToString("a frame with bytes 0 to 3 of 3 of payload 4294967295");
  }

  @Test
  void anIteratorEnds() {
    Iterator<byte[]> frames = Frames.create(100).split(new byte[0]);
    frames.next();
    assertThatThrownBy(frames::next).isInstanceOf(NoSuchElementException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 19, 20})
  void messagesMustHaveRoom(int messageBytes) {
    assertThatThrownBy(() -> Frames.create(messageBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no room");
  }

  @Test
  void aFrameHasTheDocumentedBytes() throws IOException {
    Frames frames = Frames.create(24);
    split(frames, new byte[0]);
    List<byte[]> messages = split(frames, new byte[] {'h', 'e', 'l', 'l', 'o'});
    assertThat(messages).containsExactly(Golden.read("frame-1"), Golden.read("frame-2"));
  }

  @Test
  void aLostADoubledAndALateMessageAreNoticed() throws FrameException {
    List<byte[]> messages = split(Frames.create(30), payload(35));
    assertThat(messages).hasSize(4);
    for (int missing = 0; missing < 3; missing++) {
      Reassembler lossy = Reassembler.create(100);
      Reassembler doubling = Reassembler.create(100);
      for (int i = 0; i < missing; i++) {
        lossy.accept(messages.get(i));
        doubling.accept(messages.get(i));
      }
      refused(lossy, messages.get(missing + 1), Problem.OUT_OF_ORDER);
      doubling.accept(messages.get(missing));
      refused(doubling, messages.get(missing), Problem.OUT_OF_ORDER);
    }
  }

  @Test
  void aLostPayloadIsNoticed() {
    Frames frames = Frames.create(100);
    split(frames, payload(5));
    refused(Reassembler.create(10), split(frames, payload(5)).get(0), Problem.OUT_OF_ORDER);
  }

  @Test
  void anyOrderButTheRightOneIsRefused() {
    List<byte[]> messages = split(Frames.create(40), payload(100));
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      List<byte[]> shuffled = new ArrayList<>(messages);
      Collections.shuffle(shuffled, random);
      if (!shuffled.equals(messages)) {
        Reassembler reassembler = Reassembler.create(100);
        assertThatThrownBy(
                () -> {
                  for (byte[] message : shuffled) {
                    assertThat(reassembler.accept(message)).isEmpty();
                  }
                })
            .isInstanceOf(FrameException.class);
      }
    }
  }

  @Test
  void everyDamagedByteIsNoticed() {
    byte[] message = split(Frames.create(100), payload(40)).get(0);
    for (int i = 0; i < message.length * 8; i++) {
      byte[] damaged = message.clone();
      damaged[i / 8] ^= (byte) (1 << i % 8);
      assertThatThrownBy(() -> Reassembler.create(100).accept(damaged))
          .isInstanceOf(FrameException.class);
    }
    refused(Reassembler.create(100), Arrays.copyOf(message, 59), Problem.DAMAGED);
    refused(Reassembler.create(100), Arrays.copyOf(message, 61), Problem.DAMAGED);
    refused(Reassembler.create(100), Arrays.copyOf(message, 19), Problem.NOT_A_FRAME);
    byte[] newer = message.clone();
    newer[2] = 2;
    refused(Reassembler.create(100), newer, Problem.UNKNOWN_VERSION);
  }

  @Test
  void aPayloadBeyondTheLimitIsRefusedAtItsFirstFrame() throws FrameException {
    byte[] first = split(Frames.create(30), payload(101)).get(0);
    refused(Reassembler.create(100), first, Problem.TOO_LARGE);
    assertThat(Reassembler.create(101).accept(first)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 5", "10, 8, 5", "10, -1, 5", "10, 2147483647, 5", "10, 0, 0", "0, 0, 1"})
  void aHeaderThatCannotBeIsRefused(int total, int offset, int piece) {
    byte[] message = new FrameHeader(0, total, offset, piece).message(new byte[piece], 0);
    refused(Reassembler.create(100), message, Problem.CONTRADICTION);
  }

  @Test
  void theSizeMayNotChangeOnTheWay() throws FrameException {
    Reassembler reassembler = Reassembler.create(100);
    reassembler.accept(new FrameHeader(0, 10, 0, 5).message(payload(10)));
    refused(reassembler, new FrameHeader(0, 11, 5, 5).message(payload(10)), Problem.CONTRADICTION);
    refused(reassembler, new FrameHeader(0, 10, 5, 5).message(payload(10)), Problem.OUT_OF_ORDER);
  }

  @Test
  void noiseIsRefusedAndTakesNoMemory() {
    byte[][] sound = split(Frames.create(60), payload(500)).toArray(new byte[0][]);
    int refused =
        Fuzz.refusals(
            1,
            message -> {
              Reassembler reassembler = Reassembler.create(1 << 20);
              for (int i = 0; i < 3; i++) {
                Optional<byte[]> payload = reassembler.accept(message);
                assertThat(payload.map(p -> p.length).orElse(0)).isLessThanOrEqualTo(1 << 20);
              }
            },
            sound);
    assertThat(refused).isEqualTo(20_000);
  }

  /**
   * Each of 100 messages announces 1 GiB. The test passes although the heap cannot hold one of
   * them.
   */
  @Test
  void anAnnouncementCostsLittle() throws FrameException {
    List<Reassembler> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Reassembler reassembler = Reassembler.create(Integer.MAX_VALUE);
      reassembler.accept(new FrameHeader(0, 1 << 30, 0, 1).message(new byte[1]));
      waiting.add(reassembler);
    }
    assertThat(waiting).allMatch(Reassembler::isInside);
  }
}
