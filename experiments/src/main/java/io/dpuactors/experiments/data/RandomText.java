package io.dpuactors.experiments.data;

import java.nio.charset.StandardCharsets;

/**
 * Uniformly random characters of an alphabet of 63. The characters equal those of libstdc++ 12's
 * {@code std::uniform_int_distribution(0, 62)} with a {@code std::mt19937}. The result is the high
 * word of a draw times 63; draws with a few low words are rejected, because they would bias the
 * result.
 */
final class RandomText {
  private static final byte[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\0"
          .getBytes(StandardCharsets.US_ASCII);
  private static final long WORD = 1L << 32;
  private static final long UNFAIR = WORD % ALPHABET.length;

  private final Mt19937 random;

  RandomText(int seed) {
    random = new Mt19937(seed);
  }

  void fill(byte[] text) {
    for (int i = 0; i < text.length; i++) {
      text[i] = ALPHABET[draw()];
    }
  }

  private int draw() {
    long product;
    do {
      product = Integer.toUnsignedLong(random.next()) * ALPHABET.length;
    } while ((product & (WORD - 1)) < UNFAIR);
    return (int) (product >>> 32);
  }
}
