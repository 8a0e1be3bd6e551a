package io.dpuactors.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.protocol.wire.Fuzz;
import io.dpuactors.protocol.wire.Golden;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the text messages: pings, pongs, geometries. */
class TextsTest {
  private static byte[] ascii(String text) {
    return text.replace("NUL", "\0").getBytes(US_ASCII);
  }

  @Test
  void pingsAndPongsHaveTheDocumentedText() throws WireException {
    assertThat(PingPong.ping(4)).isEqualTo(ascii("ping"));
    assertThat(PingPong.pong(ascii("ping"))).isEqualTo(ascii("pong"));
    assertThat(PingPong.ping(7)).isEqualTo(ascii("ping..."));
    assertThat(PingPong.pong(ascii("ping...xyz"))).isEqualTo(ascii("pong...xyz"));
    assertThat(PingPong.pong(ascii("pingNUL"))).isEqualTo(ascii("pongNUL"));
    for (int bytes : new int[] {4, 5, 4080}) {
      byte[] ping = PingPong.ping(bytes);
      PingPong.checkPong(ping, PingPong.pong(ping));
      PingPong.checkPong(ping, ascii("pong"));
      PingPong.checkPong(ping, ascii("pongNUL"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pin", "pong", "PING", " ping", "NULping"})
  void somethingElseIsNoPing(String text) {
    assertThatThrownBy(() -> PingPong.pong(ascii(text)))
        .isInstanceOf(WireException.class)
        .hasMessageStartingWith("\"ping\" was expected, but \"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pon", "ping", "PONG"})
  void somethingElseIsNoPong(String text) {
    assertThatThrownBy(() -> PingPong.checkPong(PingPong.ping(8), ascii(text)))
        .isInstanceOf(WireException.class)
        .hasMessageStartingWith("\"pong\" was expected, but \"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pong.", "pong...", "pong.....", "pong...NUL", "pong..x."})
  void anInvalidPongIsRefused(String text) {
    assertThatThrownBy(() -> PingPong.checkPong(PingPong.ping(8), ascii(text)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("echo");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3})
  void aPingThatIsTooShortIsRefused(int bytes) {
    assertThatThrownBy(() -> PingPong.ping(bytes)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "256, 1048576", "1000, 4096", "2147483647, 2147483647"})
  void aGeometryRoundTrips(int blocks, int blockBytes) throws WireException {
    DataGeometry geometry = new DataGeometry(blocks, blockBytes);
    assertThat(DataGeometry.decode(geometry.encode(false))).isEqualTo(geometry);
    assertThat(DataGeometry.decode(geometry.encode(true))).isEqualTo(geometry);
    assertThat(geometry.encode(true)).hasSize(geometry.encode(false).length + 1);
    assertThat(geometry.totalBytes()).isEqualTo((long) blocks * blockBytes);
  }

  @Test
  void aGeometryHasTheDocumentedBytes() throws IOException {
    DataGeometry geometry = new DataGeometry(256, 1 << 20);
    assertThat(geometry.encode(false)).isEqualTo(ascii("256 1048576"));
    assertThat(geometry.encode(true)).isEqualTo(Golden.read("geometry-nul"));
    assertThat(DataGeometry.fill(0)).isZero();
    assertThat(DataGeometry.fill(255)).isEqualTo((byte) 0xff);
    assertThat(DataGeometry.fill(256)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "NUL",
        "256",
        "256 ",
        " 256",
        "256 1048576 ",
        "256  1048576",
        "256\t1048576",
        "256,1048576",
        "256 1048576NULNUL",
        "256NUL1048576",
        "+256 1048576",
        "-256 1048576",
        "0x10 4096",
        "256 1M",
        "256 1048576 7",
        "00000000256 4096",
        "99999999999999999999 1"
      })
  void somethingElseIsNoGeometry(String text) {
    assertThatThrownBy(() -> DataGeometry.decode(ascii(text)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("was expected, but");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 1", "1 0", "0 0", "2147483648 1", "1 2147483648", "9999999999 1"})
  void aNumberOutOfRangeIsRefused(String text) {
    assertThatThrownBy(() -> DataGeometry.decode(ascii(text)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("out of range");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1"})
  void thereIsNoSuchGeometry(int blocks, int blockBytes) {
    assertThatThrownBy(() -> new DataGeometry(blocks, blockBytes))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void errorsQuoteTheReceivedBytes() {
    assertThat(Ascii.quote(new byte[] {'a', 0, -1, '"', '\\', '\n'}))
        .isEqualTo("\"a\\x00\\xff\\x22\\x5c\\x0a\"");
    assertThat(Ascii.quote(PingPong.ping(33))).endsWith("\"... (33 bytes)").hasSize(48);
  }

  @Test
  void damagedTextHasAMeaningOrIsRefused() {
    byte[][] geometries = {
      new DataGeometry(256, 1 << 20).encode(true), new DataGeometry(9, 4096).encode(false)
    };
    int refused =
        Fuzz.refusals(
            2,
            message -> {
              DataGeometry read = DataGeometry.decode(message);
              // The decoded value encodes to the same text, except for leading zeros.
              byte[] text = Arrays.copyOf(message, Ascii.length(message));
              assertThat(new String(text, US_ASCII).replaceAll("(^| )0+(?=\\d)", "$1"))
                  .isEqualTo(new String(read.encode(false), US_ASCII));
            },
            geometries);
    assertThat(refused).isBetween(10_000, 19_900);
    byte[][] pings = {PingPong.ping(4), PingPong.ping(64)};
    refused =
        Fuzz.refusals(
            3, message -> assertThat(PingPong.pong(message)).hasSameSizeAs(message), pings);
    assertThat(refused).isBetween(5_000, 19_900);
  }
}
