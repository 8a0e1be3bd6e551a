package io.dpuactors.bridge;

/** Kinds of tasks of the bridge; mirrors {@code enum dpubridge_kind}. */
public enum TaskKind {
  COMPRESS_DEFLATE(0, "deflate", "compress (deflate)"),
  DECOMPRESS_DEFLATE(1, "inflate", "decompress (inflate)"),
  DECOMPRESS_LZ4_BLOCK(2, "lz4Block", "decompress LZ4 blocks"),
  DECOMPRESS_LZ4_STREAM(3, "lz4Stream", "decompress LZ4 streams"),
  DMA_MEMCPY(4, "memcpy", "copy memory"),
  COMCH_SERVER_SEND(5, "send", "exchange messages (comch)"),
  COMCH_CLIENT_SEND(6, "send", "exchange messages (comch)"),
  COMCH_CONSUMER_RECV(7, "receive", "stream buffers (comch)"),
  COMCH_PRODUCER_SEND(8, "send", "stream buffers (comch)"),
  SHA_HASH(9, "hash", "hash (SHA)"),
  AES_GCM_ENCRYPT(10, "encrypt", "encrypt (AES-GCM)"),
  AES_GCM_DECRYPT(11, "decrypt", "decrypt (AES-GCM)"),
  EC_CREATE(12, "create", "create redundancy blocks"),
  EC_RECOVER(13, "recover", "recover missing blocks"),
  EC_UPDATE(14, "update", "update redundancy blocks"),
  SHA_PARTIAL_HASH(15, "partialHash", "hash in parts (SHA)"),
  RDMA_RECEIVE(16, "receive", "receive messages (RDMA)"),
  RDMA_SEND(17, "send", "send messages (RDMA)"),
  RDMA_SEND_IMMEDIATE(18, "sendImmediate", "send messages (RDMA)"),
  RDMA_READ(19, "read", "read memory of peers (RDMA)"),
  RDMA_WRITE(20, "write", "write memory of peers (RDMA)"),
  RDMA_WRITE_IMMEDIATE(21, "writeImmediate", "write memory of peers (RDMA)"),
  RDMA_COMPARE_AND_SWAP(22, "compareAndSwap", "change memory of peers atomically (RDMA)"),
  RDMA_FETCH_AND_ADD(23, "fetchAndAdd", "change memory of peers atomically (RDMA)"),
  EVENT_GET(24, "get", "read sync events"),
  EVENT_SET(25, "set", "set sync events"),
  EVENT_ADD(26, "add", "add to sync events"),
  EVENT_WAIT_EQUAL(27, "waitEqual", "wait for sync events"),
  EVENT_WAIT_NOT_EQUAL(28, "waitNotEqual", "wait for sync events"),
  RDMA_EVENT_GET(29, "eventGet", "read sync events of peers (RDMA)"),
  RDMA_EVENT_SET(30, "eventSet", "change sync events of peers (RDMA)"),
  RDMA_EVENT_ADD(31, "eventAdd", "change sync events of peers (RDMA)");

  private static final TaskKind[] BY_VALUE = values();

  private final int value;
  private final String shortName;
  private final String purpose;

  TaskKind(int value, String shortName, String purpose) {
    this.value = value;
    this.shortName = shortName;
    this.purpose = purpose;
  }

  /** Returns the number of this kind in the rings. */
  public int value() {
    return value;
  }

  /** Returns the name of this kind among those of its library, such as {@code deflate}. */
  public String shortName() {
    return shortName;
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
