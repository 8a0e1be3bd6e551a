package io.dpuactors.fleet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a member.
 *
 * @param host name or IP address
 * @param port TCP port
 */
public record HostPort(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s\\[\\]]+):([0-9]{1,5})");
  private static final int MAX_PORT = 65535;

  /**
   * Reads {@code HOST:PORT}; an IPv6 address is in brackets.
   *
   * @throws IllegalArgumentException naming the text and the expected form
   */
  public static HostPort parse(String text) {
    Matcher parts = FORM.matcher(text);
    int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "'%s' is not an address such as 127.0.0.1:25520".formatted(text));
    }
    return new HostPort(parts.group(1), port);
  }

  /** Returns {@code HOST:PORT}. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
