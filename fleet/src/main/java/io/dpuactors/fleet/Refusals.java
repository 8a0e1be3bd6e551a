package io.dpuactors.fleet;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the peers that this member refuses, by reason, and logs at most one line per minute. The
 * class also keeps the reasons of failed connections from this member. Thread: any.
 */
final class Refusals implements Extension {
  /** Why a peer is refused. */
  enum Reason {
    /** Plain text instead of TLS. */
    PLAIN("plain", "SSL message"),

    /** TLS without a certificate. */
    NO_CERTIFICATE("noCertificate", "Empty client certificate chain"),

    /** A certificate of another CA or subject, on one side. */
    OTHER_CERTIFICATE("otherCertificate", "certifica|unknown_ca|PKIX"),

    /** Bytes that are no frame of Artery, or a frame that is too long. */
    FRAME("frame", "frame of \\d+ bytes"),

    /** Any other failure of TLS, such as another version. */
    TLS("tls", ""),

    /** Another version of the protocol of {@link FleetMessage}. */
    PROTOCOL("protocol", "");

    private final String text;
    private final Pattern tls;

    Reason(String text, String tls) {
      this.text = text;
      this.tls = Pattern.compile(tls);
    }

    /** Returns the reason of a failed handshake. The JDK gives its reasons as texts only. */
    static Reason of(SSLException failure) {
      String why = failure.toString();
      Reason reason = PLAIN;
      while (!reason.tls.matcher(why).find()) {
        reason = values()[reason.ordinal() + 1];
      }
      return reason;
    }
  }

  private static final class Id extends AbstractExtensionId<Refusals> {
    @Override
    public Refusals createExtension(ExtendedActorSystem system) {
      return new Refusals(System::nanoTime, LOG::warn);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final Id ID = new Id();
  private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_TEXT = 200;
  private static final int MAX_ADDRESSES = 8;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

  private final LongSupplier clock;
  private final Consumer<String> log;
  private final Map<Reason, Long> counts = new EnumMap<>(Reason.class);
  private long loggedNs;
  private final Map<String, String> failures = new TreeMap<>();

  /**
   * Creates empty counters.
   *
   * @param clock monotonic time in nanoseconds
   * @param log receives the lines
   */
  Refusals(LongSupplier clock, Consumer<String> log) {
    this.clock = clock;
    this.log = log;
    loggedNs = clock.getAsLong() - PAUSE_NS;
  }

  /** Returns the counters of an actor system. */
  static Refusals of(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /**
   * Counts a refused peer.
   *
   * @param about reason in words, and the peer if it is known; may contain bytes of the peer
   */
  synchronized void count(Reason reason, String about) {
    counts.merge(reason, 1L, Long::sum);
    long now = clock.getAsLong();
    if (now - loggedNs >= PAUSE_NS) {
      loggedNs = now;
      log.accept(
          "peers refused since the start: %s; the last one: %s".formatted(counts(), line(about)));
    }
  }

  /** Returns the number of refused peers by reason, in the order of the reasons' names. */
  synchronized Map<String, Long> counts() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((reason, count) -> named.put(reason.text, count));
    return named;
  }

  /** Keeps the reason of the last failed connection to an address. */
  synchronized void failed(String address, String why) {
    if (failures.size() < MAX_ADDRESSES || failures.containsKey(address)) {
      failures.put(address, line(why));
    }
  }

  /** Returns the reasons of failed connections, by address, behind a semicolon; empty if none. */
  synchronized String failures() {
    return failures.entrySet().stream()
        .map(one -> "; " + one.getKey() + ": " + one.getValue())
        .collect(Collectors.joining());
  }

  private static String line(String text) {
    String line = CONTROL.matcher(text).replaceAll(" ");
    return line.length() > MAX_TEXT ? line.substring(0, MAX_TEXT) + "..." : line;
  }
}
