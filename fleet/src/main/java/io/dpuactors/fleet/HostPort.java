package io.dpuactors.fleet;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Address of a member.
 *
 * @param host name or IP address; an IPv6 address is in brackets
 * @param port TCP port
 */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65535;

  /**
   * Reads {@code HOST:PORT}; an IPv6 address is in brackets. Pekko has the same rules for names.
   *
   * @throws IllegalArgumentException naming the text and the expected form
   */
  public static HostPort parse(String text) {
    try {
      URI uri = new URI("pekko://" + text).parseServerAuthority();
      HostPort address = new HostPort(String.valueOf(uri.getHost()), uri.getPort());
      if (address.port > 0 && address.port <= MAX_PORT && address.toString().equals(text)) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw refusal(text, e);
    }
    throw refusal(text, null);
  }

  private static IllegalArgumentException refusal(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "'%s' is not an address such as 127.0.0.1:25520".formatted(text), cause);
  }

  /** Returns {@code HOST:PORT}. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
