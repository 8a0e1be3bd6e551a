package io.dpuactors.bridge;

/** Results of DOCA calls ({@code doca_error_t}). The numbers are part of DOCA's ABI. */
public enum DocaCode {
  SUCCESS(0),
  UNKNOWN(1),
  NOT_PERMITTED(2),
  IN_USE(3),
  NOT_SUPPORTED(4),
  AGAIN(5),
  INVALID_VALUE(6),
  NO_MEMORY(7),
  INITIALIZATION(8),
  TIME_OUT(9),
  SHUTDOWN(10),
  CONNECTION_RESET(11),
  CONNECTION_ABORTED(12),
  CONNECTION_INPROGRESS(13),
  NOT_CONNECTED(14),
  NO_LOCK(15),
  NOT_FOUND(16),
  IO_FAILED(17),
  BAD_STATE(18),
  UNSUPPORTED_VERSION(19),
  OPERATING_SYSTEM(20),
  DRIVER(21),
  UNEXPECTED(22),
  ALREADY_EXIST(23),
  FULL(24),
  EMPTY(25),
  IN_PROGRESS(26),
  TOO_BIG(27),
  AUTHENTICATION(28),
  BAD_CONFIG(29),
  SKIPPED(30),
  DEVICE_FATAL_ERROR(31);

  private static final DocaCode[] CODES = values();

  private final int value;

  DocaCode(int value) {
    this.value = value;
  }

  /** Returns the number in C. */
  public int value() {
    return value;
  }

  /** Returns the code of a number; {@link #UNKNOWN} for an unknown number. */
  public static DocaCode of(int raw) {
    return raw >= 0 && raw < CODES.length ? CODES[raw] : UNKNOWN;
  }

  /** Returns the constant's name in C, such as {@code DOCA_ERROR_AGAIN}. */
  public String docaName() {
    return this == SUCCESS ? "DOCA_SUCCESS" : "DOCA_ERROR_" + name();
  }
}
