package io.dpuactors.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/** Damages messages at random from a seed, and reads the results. */
public final class Fuzz {
  private static final int ROUNDS = 20_000;

  private Fuzz() {}

  /** Reads a message; any exception except {@link IOException} fails the test. */
  public interface Reader {
    void read(byte[] message) throws IOException;
  }

  /** Returns the number of refused messages; the others were valid. */
  public static int refusals(long seed, Reader reader, byte[]... sound) {
    Random random = new Random(seed);
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] message = damage(sound[random.nextInt(sound.length)], random);
      try {
        reader.read(message);
      } catch (IOException e) {
        assertThat(e.getMessage()).matches("[ -~]{10,400}");
        refused++;
      }
    }
    return refused;
  }

  private static byte[] damage(byte[] sound, Random random) {
    byte[] message = sound.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      message =
          switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(message, random.nextInt(message.length + 1));
            case 1 -> Arrays.copyOf(message, message.length + random.nextInt(40));
            case 2 -> noise(random);
            case 3 -> extreme(message, random);
            default -> flip(message, random);
          };
    }
    return message;
  }

  private static byte[] noise(Random random) {
    byte[] noise = new byte[random.nextInt(64)];
    random.nextBytes(noise);
    return noise;
  }

  /** Fills up to eight bytes with one value that numbers often handle wrongly. */
  private static byte[] extreme(byte[] message, Random random) {
    byte[] value = new byte[] {0, -1, 0x7f, (byte) 0x80, 1};
    int from = random.nextInt(message.length + 1);
    int to = Math.min(message.length, from + 1 + random.nextInt(8));
    Arrays.fill(message, from, to, value[random.nextInt(value.length)]);
    return message;
  }

  private static byte[] flip(byte[] message, Random random) {
    if (message.length > 0) {
      message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return message;
  }
}
