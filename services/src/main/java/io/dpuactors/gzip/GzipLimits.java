package io.dpuactors.gzip;

/**
 * Limits of a reader's allocations, independent of the sizes in a file.
 *
 * @param payloadBytes largest compressed block
 * @param contentBytes largest uncompressed block
 * @param source origin of the limit, for messages: "the device's inflate limit"
 */
public record GzipLimits(long payloadBytes, long contentBytes, String source) {
  /** Returns limits with the same value for both sizes. */
  public static GzipLimits of(long bytes, String source) {
    return new GzipLimits(bytes, bytes, source);
  }

  /**
   * Refuses a member that is too large.
   *
   * @param payload size of its compressed block
   * @param content size of its uncompressed block
   * @param offset of the member in its file, for messages
   * @throws GzipFormatException naming the size and the limit
   */
  public void check(long payload, long content, long offset) throws GzipFormatException {
    if (payload > payloadBytes) {
      throw tooLarge("its payload is %d bytes".formatted(payload), payloadBytes, offset);
    }
    if (content > contentBytes) {
      throw tooLarge("its content is %d bytes".formatted(content), contentBytes, offset);
    }
  }

  private GzipFormatException tooLarge(String what, long limit, long offset) {
    return new GzipFormatException(
        GzipFormatException.Problem.TOO_LARGE,
        "member at offset %d is too large: %s, %s is %d".formatted(offset, what, source, limit));
  }
}
