package io.dpuactors.apps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "4096, 4096",
    "4096B, 4096",
    "64K, 65536",
    "64k, 65536",
    "64KiB, 65536",
    "64KB, 64000",
    "1M, 1048576",
    "1MiB, 1048576",
    "1 MiB, 1048576",
    "1mb, 1000000",
    "1.5G, 1610612736",
    "1T, 1099511627776"
  })
  void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
    assertThat(Size.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "0", "0K", "1X", "1iB", "K", "1.", "1e6", "2000T", "1 2"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Size.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5", "0.9B", "0.0001K"})
  void aPartOfAByteIsOutOfRange(String text) {
    assertThatThrownBy(() -> Size.parse(text)).hasMessageContaining("from 1 byte");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.50 KiB",
    "20480, 20 KiB",
    "1048575, 1.00 MiB",
    "134217728, 128 MiB",
    "22888896, 21.8 MiB"
  })
  void sizesArePrintedShort(long bytes, String text) {
    assertThat(Size.text(bytes)).isEqualTo(text);
  }
}
