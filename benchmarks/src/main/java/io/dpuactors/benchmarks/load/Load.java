package io.dpuactors.benchmarks.load;

/**
 * What keeps a context busy.
 *
 * @param kind of tasks
 * @param window tasks in flight, and places that they work on
 * @param bytes content of each source
 * @param batch tasks in one request, a part of the window without remainder; 0 for one message per
 *     task
 */
public record Load(Kind kind, int window, int bytes, int batch) {
  /** The kinds of tasks that loads are made of. */
  public enum Kind {
    /** Deflate. */
    COMPRESS,
    /** Copy from memory to memory. */
    DMA
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

  /** One message per task. */
  public Load(Kind kind, int window, int bytes) {
    this(kind, window, bytes, 0);
  }

  /**
   * What a destination must have room for: what does not shrink is stored, with a little beside.
   */
  int destinationBytes() {
    return kind == Kind.COMPRESS ? bytes + bytes / 512 + 64 : bytes;
  }
}
