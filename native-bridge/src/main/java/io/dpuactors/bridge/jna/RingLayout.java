package io.dpuactors.bridge.jna;

import java.util.ArrayList;
import java.util.List;

/**
 * Layout of the memory shared with libdpubridge. {@code dpubridge_layout.h} draws it; Java compares
 * these numbers with the loaded library before it creates a ring.
 *
 * <pre>
 *  +--------------------+  0
 *  | header, one page   |  positions and counters, each position on a separate cache line
 *  +--------------------+  HEADER_BYTES
 *  | submission ring    |  capacity x ENTRY_BYTES
 *  +--------------------+
 *  | completion ring    |  capacity x RECORD_BYTES
 *  +--------------------+
 *  | message cells      |  HEADER_MESSAGE_CELLS x HEADER_MESSAGE_BYTES
 *  +--------------------+
 * </pre>
 */
public final class RingLayout {
  public static final int LAYOUT_VERSION = 5;
  public static final int HEADER_BYTES = 4096;
  public static final int HEADER_MESSAGE_CELLS = 12;
  public static final int HEADER_MESSAGE_BYTES = 16;
  public static final int SUBMISSION_TAIL = 64;
  public static final int SUBMISSION_HEAD = 128;
  public static final int COMPLETION_TAIL = 192;
  public static final int COMPLETION_HEAD = 256;
  public static final int COUNTERS = 320;
  public static final int MESSAGE_TAIL = 384;
  public static final int MESSAGE_HEAD = 448;

  public static final int ENTRY_BYTES = 64;
  public static final int ENTRY_USER_DATA = 0;
  public static final int ENTRY_CONTEXT = 8;
  public static final int ENTRY_KIND = 12;
  public static final int ENTRY_FLAGS = 14;
  public static final int ENTRY_SRC_BUF = 16;
  public static final int ENTRY_SRC_ADDR = 24;
  public static final int ENTRY_SRC_LEN = 32;
  public static final int ENTRY_DST_BUF = 40;
  public static final int ENTRY_DST_ADDR = 48;
  public static final int ENTRY_ARGUMENT = 56;

  public static final int RECORD_BYTES = 64;
  public static final int RECORD_USER_DATA = 0;
  public static final int RECORD_CONTEXT = 8;
  public static final int RECORD_TYPE = 12;
  public static final int RECORD_IMMEDIATE_LENGTH = 13;
  public static final int RECORD_KIND = 14;
  public static final int RECORD_STATUS = 16;
  public static final int RECORD_STATES = 20;
  public static final int RECORD_PRODUCED = 24;
  public static final int RECORD_IMMEDIATE = 32;

  /** Largest immediate data of a buffer; the rest of a record. */
  public static final int IMMEDIATE_BYTES = RECORD_BYTES - RECORD_IMMEDIATE;

  public static final int RECORD_CHECKSUM0 = 32;
  public static final int RECORD_CHECKSUM1 = 36;

  public static final int FLAG_BATCH = 0x8000;
  public static final int BATCH_BYTES = 64;
  public static final int BATCH_COUNT = 0;
  public static final int BATCH_NEXT = 4;
  public static final int BATCH_ENDED = 8;
  public static final int BATCH_FAILURES = 12;
  public static final int BATCH_PREPARED = 16;
  public static final int BATCH_LIMIT = 20;

  public static final int RESULT_BYTES = 16;
  public static final int RESULT_OUTCOME = 0;
  public static final int RESULT_CHECKSUM0 = 8;
  public static final int RESULT_CHECKSUM1 = 12;

  private record Constant(String name, int value) {}

  /** In the order of {@code enum dpubridge_layout_value}; the number of kinds follows. */
  private static final List<Constant> CONSTANTS =
      List.of(
          new Constant("LAYOUT_VERSION", LAYOUT_VERSION),
          new Constant("HEADER_BYTES", HEADER_BYTES),
          new Constant("SUBMISSION_TAIL", SUBMISSION_TAIL),
          new Constant("SUBMISSION_HEAD", SUBMISSION_HEAD),
          new Constant("COMPLETION_TAIL", COMPLETION_TAIL),
          new Constant("COMPLETION_HEAD", COMPLETION_HEAD),
          new Constant("COUNTERS", COUNTERS),
          new Constant("ENTRY_BYTES", ENTRY_BYTES),
          new Constant("ENTRY_USER_DATA", ENTRY_USER_DATA),
          new Constant("ENTRY_CONTEXT", ENTRY_CONTEXT),
          new Constant("ENTRY_KIND", ENTRY_KIND),
          new Constant("ENTRY_FLAGS", ENTRY_FLAGS),
          new Constant("ENTRY_SRC_BUF", ENTRY_SRC_BUF),
          new Constant("ENTRY_SRC_ADDR", ENTRY_SRC_ADDR),
          new Constant("ENTRY_SRC_LEN", ENTRY_SRC_LEN),
          new Constant("ENTRY_DST_BUF", ENTRY_DST_BUF),
          new Constant("ENTRY_DST_ADDR", ENTRY_DST_ADDR),
          new Constant("ENTRY_ARGUMENT", ENTRY_ARGUMENT),
          new Constant("RECORD_BYTES", RECORD_BYTES),
          new Constant("RECORD_USER_DATA", RECORD_USER_DATA),
          new Constant("RECORD_CONTEXT", RECORD_CONTEXT),
          new Constant("RECORD_TYPE", RECORD_TYPE),
          new Constant("RECORD_KIND", RECORD_KIND),
          new Constant("RECORD_STATUS", RECORD_STATUS),
          new Constant("RECORD_STATES", RECORD_STATES),
          new Constant("RECORD_PRODUCED", RECORD_PRODUCED),
          new Constant("RECORD_CHECKSUM0", RECORD_CHECKSUM0),
          new Constant("RECORD_CHECKSUM1", RECORD_CHECKSUM1),
          new Constant("RECORD_IMMEDIATE_LENGTH", RECORD_IMMEDIATE_LENGTH),
          new Constant("RECORD_IMMEDIATE", RECORD_IMMEDIATE),
          new Constant("MESSAGE_TAIL", MESSAGE_TAIL),
          new Constant("MESSAGE_HEAD", MESSAGE_HEAD),
          new Constant("HEADER_MESSAGE_CELLS", HEADER_MESSAGE_CELLS),
          new Constant("HEADER_MESSAGE_BYTES", HEADER_MESSAGE_BYTES),
          new Constant("BATCH_BYTES", BATCH_BYTES),
          new Constant("BATCH_COUNT", BATCH_COUNT),
          new Constant("BATCH_NEXT", BATCH_NEXT),
          new Constant("BATCH_ENDED", BATCH_ENDED),
          new Constant("BATCH_FAILURES", BATCH_FAILURES),
          new Constant("BATCH_PREPARED", BATCH_PREPARED),
          new Constant("BATCH_LIMIT", BATCH_LIMIT),
          new Constant("RESULT_BYTES", RESULT_BYTES),
          new Constant("RESULT_OUTCOME", RESULT_OUTCOME),
          new Constant("RESULT_CHECKSUM0", RESULT_CHECKSUM0),
          new Constant("RESULT_CHECKSUM1", RESULT_CHECKSUM1),
          new Constant("FLAG_BATCH", FLAG_BATCH));

  private RingLayout() {}

  /**
   * Checks that one view can show the shared memory. The library refuses other invalid capacities.
   *
   * @throws IllegalStateException if header, rings and cells exceed 2 GiB
   */
  public static void checkMemory(
      int submissionCapacity, int completionCapacity, int messageCells, int messageBytes) {
    long bytes =
        HEADER_BYTES
            + (long) submissionCapacity * ENTRY_BYTES
            + (long) completionCapacity * RECORD_BYTES
            + (long) messageCells * messageBytes;
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "rings and %d message cells of %d bytes take %d bytes; at most %d are possible"
              .formatted(messageCells, messageBytes, bytes, Integer.MAX_VALUE));
    }
  }

  /** Returns the number of values for {@link #compare}. */
  public static int count() {
    return constants(0).size();
  }

  private static List<Constant> constants(int kinds) {
    List<Constant> all = new ArrayList<>(CONSTANTS);
    all.add(new Constant("KIND_COUNT", kinds));
    return all;
  }

  /**
   * Checks that the library has the layout of this class.
   *
   * @param reported values written by {@code dpubridge_layout}
   * @param known number of values that the library supports
   * @param kinds number of kinds of tasks
   * @throws IllegalStateException naming each different constant
   */
  public static void compare(int[] reported, int known, int kinds) {
    List<Constant> constants = constants(kinds);
    List<String> differences = new ArrayList<>();
    if (known != constants.size()) {
      differences.add("number of constants: " + constants.size() + " here, " + known + " there");
    }
    for (int i = 0; i < Math.min(reported.length, constants.size()); i++) {
      Constant constant = constants.get(i);
      if (reported[i] != constant.value) {
        differences.add(constant.name + ": " + constant.value + " here, " + reported[i] + " there");
      }
    }
    if (!differences.isEmpty()) {
      throw new IllegalStateException(
          "libdpubridge lays out its rings in another way than these bindings, build both from the"
              + " same sources: "
              + String.join("; ", differences));
    }
  }
}
