package io.dpuactors.protocol.gzip;

/**
 * What a reader is ready to allocate, whatever a file claims.
 *
 * @param payloadBytes largest compressed block
 * @param contentBytes largest uncompressed block
 * @param source whose limit it is, for messages: "the device's inflate limit"
 */
public record GzipLimits(long payloadBytes, long contentBytes, String source) {
  /** Both sizes the same. */
  public static GzipLimits of(long bytes, String source) {
    return new GzipLimits(bytes, bytes, source);
  }

  /**
   * Refuse a member that is too large.
   *
   * @param payload size of its compressed block
   * @param content size of its uncompressed block
   * @param offset of the member in its file, for messages
   * @throws GzipFormatException saying which size and which limit
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
        offset,
        "member at offset %d is too large: %s, %s is %d".formatted(offset, what, source, limit));
  }
}
