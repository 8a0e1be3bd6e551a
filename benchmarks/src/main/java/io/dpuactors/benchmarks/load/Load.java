package io.dpuactors.benchmarks.load;

import java.util.Locale;

/**
 * A load on a context.
 *
 * @param kind of tasks
 * @param window number of tasks in flight, and of buffer pairs
 * @param bytes content of each source
 * @param batch tasks per request, a divisor of the window; 0 for one message per task
 */
public record Load(Kind kind, int window, int bytes, int batch) {
  /** Kinds of tasks. */
  public enum Kind {
    /** Deflate. */
    COMPRESS,
    /** Copy from memory to memory. */
    DMA;

    /** Returns its name on command lines and in files. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks ranges. */
  public Load {
    if (window < 1 || bytes < 1) {
      throw new IllegalArgumentException("window " + window + ", " + bytes + " bytes: at least 1");
    }
    if (batch < 0 || batch > window) {
      throw new IllegalArgumentException("a batch of " + batch + ": from 0 to the window");
    }
    if (batch > 0 && window % batch != 0) {
      throw new IllegalArgumentException(
          "a window of " + window + " is not a whole number of batches of " + batch);
    }
  }

  /** A load with one message per task. */
  public Load(Kind kind, int window, int bytes) {
    this(kind, window, bytes, 0);
  }

  /** Returns the size of a destination: incompressible content is stored with a small overhead. */
  int destinationBytes() {
    return kind == Kind.COMPRESS ? bytes + bytes / 512 + 64 : bytes;
  }
}
