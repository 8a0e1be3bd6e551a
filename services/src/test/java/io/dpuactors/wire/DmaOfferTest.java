package io.dpuactors.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.protocol.wire.Fuzz;
import io.dpuactors.protocol.wire.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DmaOfferTest {
  private static byte[] descriptor(int bytes) {
    byte[] descriptor = new byte[bytes];
    new Random(bytes).nextBytes(descriptor);
    return descriptor;
  }

  private static final DmaOffer OFFER =
      DmaOffer.of(new DataGeometry(256, 1 << 20), new byte[] {1, 2, 3, -1});

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 4071, 4072})
  void anOfferRoundTrips(int bytes) throws WireException {
    DmaOffer offer = DmaOffer.of(new DataGeometry(7, Integer.MAX_VALUE), descriptor(bytes));
    assertThat(DmaOffer.decode(offer.encode())).isEqualTo(offer).hasSameHashCodeAs(offer);
    assertThat(offer.encode()).hasSize(8 + bytes);
    assertThat(offer.descriptor()).isEqualTo(descriptor(bytes));
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      assertThat(DmaOffer.decode(offer.encode(order), order)).isEqualTo(offer);
    }
  }

  @Test
  void anOfferHasTheDocumentedBytes() throws IOException {
    byte[] little = Golden.read("dma-offer-little");
    byte[] big = Golden.read("dma-offer-big");
    assertThat(OFFER.encode(ByteOrder.LITTLE_ENDIAN)).isEqualTo(little);
    assertThat(OFFER.encode(ByteOrder.BIG_ENDIAN)).isEqualTo(big);
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    assertThat(OFFER.encode()).isEqualTo(isLittle ? little : big);
    assertThat(DmaOffer.decode(isLittle ? little : big)).isEqualTo(OFFER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 4081, 10_000})
  void aMessageOfAnotherLengthIsRefused(int bytes) {
    assertThatThrownBy(() -> DmaOffer.decode(new byte[bytes]))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("not " + bytes);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -2147483648"})
  void aNumberOutOfRangeIsRefused(int blocks, int blockBytes) {
    ByteBuffer message = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
    message.putInt(blocks).putInt(blockBytes);
    assertThatThrownBy(() -> DmaOffer.decode(message.array()))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(Integer.toUnsignedString(blocks) + " blocks of");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4073})
  void aDescriptorMustFit(int bytes) {
    assertThatThrownBy(() -> DmaOffer.of(new DataGeometry(1, 1), new byte[bytes]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void doneHasTheDocumentedText() throws WireException {
    assertThat(DmaOffer.done()).isEqualTo("done".getBytes(US_ASCII));
    DmaOffer.checkDone(DmaOffer.done());
    DmaOffer.checkDone("done\0".getBytes(US_ASCII));
    for (String other : new String[] {"", "don", "done.", "DONE", "\0"}) {
      assertThatThrownBy(() -> DmaOffer.checkDone(other.getBytes(US_ASCII)))
          .isInstanceOf(WireException.class)
          .hasMessageStartingWith("\"done\" was expected");
    }
  }

  @Test
  void aDamagedOfferHasAMeaningOrIsRefused() {
    DmaOffer large = DmaOffer.of(new DataGeometry(1, 1), descriptor(4072));
    int refused =
        Fuzz.refusals(
            4,
            message -> assertThat(DmaOffer.decode(message).encode()).isEqualTo(message),
            OFFER.encode(),
            large.encode());
    assertThat(refused).isBetween(5_000, 19_900);
  }
}
