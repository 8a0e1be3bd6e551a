package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.fleet.Refusals.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Tests the counters of refused peers, and the limit of their log. */
class RefusalsTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 7);
  private final List<String> log = new ArrayList<>();
  private final Refusals refusals = new Refusals(now::get, log::add);

  @Test
  void theLogHasOneLinePerMinuteWithAllCounts() {
    refusals.count(Reason.FRAME, "first");
    refusals.count(Reason.PLAIN, "second");
    now.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    refusals.count(Reason.FRAME, "third");
    assertThat(log)
        .containsExactly("peers refused since the start: {frame=1}; the last one: first");
    now.incrementAndGet();
    refusals.count(Reason.FRAME, "a\r\nb");
    refusals.count(Reason.FRAME, "fifth");
    assertThat(log.subList(1, log.size()))
        .containsExactly("peers refused since the start: {frame=3, plain=1}; the last one: a b");
    assertThat(refusals.counts()).isEqualTo(Map.of("frame", 4L, "plain", 1L));
  }

  @Test
  void bytesOfAPeerAreCut() {
    refusals.count(Reason.FRAME, "x".repeat(500));
    assertThat(log.get(0)).endsWith("the last one: " + "x".repeat(200) + "...");
  }

  @Test
  void eachFailureOfTlsHasItsReason() {
    assertThat(Reason.of(new SSLException("Unsupported or unrecognized SSL message")))
        .isEqualTo(Reason.PLAIN);
    assertThat(Reason.of(new SSLHandshakeException("Empty client certificate chain")))
        .isEqualTo(Reason.NO_CERTIFICATE);
    assertThat(Reason.of(new SSLHandshakeException("PKIX path validation failed")))
        .isEqualTo(Reason.OTHER_CERTIFICATE);
    assertThat(Reason.of(new SSLHandshakeException("Received fatal alert: unknown_ca")))
        .isEqualTo(Reason.OTHER_CERTIFICATE);
    assertThat(Reason.of(new SSLHandshakeException("no cipher suites in common")))
        .isEqualTo(Reason.TLS);
  }

  @Test
  void theLastFailureOfEachAddressIsKept() {
    assertThat(refusals.failures()).isEmpty();
    refusals.failed("b:1", "first");
    refusals.failed("b:1", "second");
    refusals.failed("a:1", "other");
    assertThat(refusals.failures()).isEqualTo("; a:1: other; b:1: second");
    for (int i = 0; i < 20; i++) {
      refusals.failed("c:" + i, "x");
    }
    assertThat(refusals.failures().split("; ", -1)).as("an empty text, and 8 addresses").hasSize(9);
  }
}
