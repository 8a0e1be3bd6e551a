package io.dpuactors.experiments.data;

/**
 * The Mersenne Twister of 32-bit words (Matsumoto and Nishimura, 1998), in C++ {@code
 * std::mt19937}. For one thread.
 */
final class Mt19937 {
  private static final int WORDS = 624;
  private static final int SHIFT = 397;
  private static final int MATRIX = 0x9908b0df;
  private static final int UPPER = 0x80000000;
  private static final int LOWER = 0x7fffffff;
  private static final int INITIAL = 1812433253;

  private final int[] state = new int[WORDS];
  private int index = WORDS;

  Mt19937(int seed) {
    state[0] = seed;
    for (int i = 1; i < WORDS; i++) {
      state[i] = INITIAL * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  }

  /** Returns the next word: 32 random bits. */
  int next() {
    if (index == WORDS) {
      refill();
    }
    int y = state[index++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return y ^ (y >>> 18);
  }

  private void refill() {
    int i = 0;
    for (; i < WORDS - SHIFT; i++) {
      state[i] = twist(i, i + 1) ^ state[i + SHIFT];
    }
    for (; i < WORDS - 1; i++) {
      state[i] = twist(i, i + 1) ^ state[i + SHIFT - WORDS];
    }
    state[i] = twist(i, 0) ^ state[SHIFT - 1];
    index = 0;
  }

  private int twist(int at, int after) {
    int y = (state[at] & UPPER) | (state[after] & LOWER);
    return (y >>> 1) ^ ((y & 1) == 0 ? 0 : MATRIX);
  }
}
