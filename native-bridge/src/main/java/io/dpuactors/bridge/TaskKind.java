package io.dpuactors.bridge;

/** Kinds of tasks of the bridge; mirrors {@code enum dpubridge_kind}. */
public enum TaskKind {
  COMPRESS_DEFLATE(0),
  DECOMPRESS_DEFLATE(1),
  DECOMPRESS_LZ4_BLOCK(2),
  DECOMPRESS_LZ4_STREAM(3),
  DMA_MEMCPY(4),
  COMCH_SERVER_SEND(5),
  COMCH_CLIENT_SEND(6),
  COMCH_CONSUMER_RECV(7),
  COMCH_PRODUCER_SEND(8),
  SHA_HASH(9);

  private static final TaskKind[] BY_VALUE = values();

  private final int value;

  TaskKind(int value) {
    this.value = value;
  }

  /** Returns the number of this kind in the rings. */
  public int value() {
    return value;
  }

  /**
   * Returns the kind of a number.
   *
   * @throws IllegalArgumentException for an unknown number
   */
  public static TaskKind of(int value) {
    if (value < 0 || value >= BY_VALUE.length) {
      throw new IllegalArgumentException("no kind of task has number " + value);
    }
    return BY_VALUE[value];
  }
}
