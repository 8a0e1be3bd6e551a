package io.dpuactors.bridge;

/** Kinds of tasks of the bridge; mirrors {@code enum dpubridge_kind}. */
public enum TaskKind {
  COMPRESS_DEFLATE(0, "compress (deflate)"),
  DECOMPRESS_DEFLATE(1, "decompress (inflate)"),
  DECOMPRESS_LZ4_BLOCK(2, "decompress LZ4 blocks"),
  DECOMPRESS_LZ4_STREAM(3, "decompress LZ4 streams"),
  DMA_MEMCPY(4, "copy memory"),
  COMCH_SERVER_SEND(5, "exchange messages (comch)"),
  COMCH_CLIENT_SEND(6, "exchange messages (comch)"),
  COMCH_CONSUMER_RECV(7, "stream buffers (comch)"),
  COMCH_PRODUCER_SEND(8, "stream buffers (comch)"),
  SHA_HASH(9, "hash (SHA)"),
  AES_GCM_ENCRYPT(10, "encrypt (AES-GCM)"),
  AES_GCM_DECRYPT(11, "decrypt (AES-GCM)"),
  EC_CREATE(12, "create redundancy blocks"),
  EC_RECOVER(13, "recover missing blocks"),
  EC_UPDATE(14, "update redundancy blocks"),
  SHA_PARTIAL_HASH(15, "hash in parts (SHA)");

  private static final TaskKind[] BY_VALUE = values();

  private final int value;
  private final String purpose;

  TaskKind(int value, String purpose) {
    this.value = value;
    this.purpose = purpose;
  }

  /** Returns the number of this kind in the rings. */
  public int value() {
    return value;
  }

  /** Returns what a device does with tasks of this kind, in words for errors. */
  public String purpose() {
    return purpose;
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
