package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pekko.pki.pem.DERPrivateKeyLoader;
import org.apache.pekko.pki.pem.PEMDecoder;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests that a node refuses, counts and logs hostile peers, and then computes a job. */
class FleetRefusalTest extends FleetFixture {
  private static final String TLS = "dpu.fleet.tls-dir";

  @TempDir static Path keys;

  private static List<Path> members;
  private static Path otherKeys;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeAll
  @Timeout(400) // keytool computes five keys
  static void createKeys() throws Exception {
    members = FleetKeys.create(keys.resolve("keys"), 2);
    otherKeys = FleetKeys.create(keys.resolve("other"), 1).get(0);
  }

  @BeforeEach
  void collectLog() {
    log.start();
    refusalLog().addAppender(log);
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).addAppender(log);
  }

  @AfterEach
  void releaseLog() {
    refusalLog().detachAppender(log);
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).detachAppender(log);
  }

  private static Logger refusalLog() {
    return (Logger) LoggerFactory.getLogger(Refusals.class);
  }

  @Test
  void onlyAMemberWithACertificateOfTheFleetGetsWork() throws Exception {
    HostPort node = node(with(TLS, members.get(0)), List.of());
    Path in = file("in", 3 * BLOCK);
    Config brief = with("dpu.fleet.client.join-deadline", "8s");
    assertThat(compress(brief, node, in, "plain.gz"))
        .hasValueSatisfying(FleetFixture::findsNoNode)
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .hasLineCount(1)
                    .endsWith(
                        node
                            + ": the node ended the connection; if it uses TLS, set dpu.fleet.tls-dir"));
    assertRefused("plain");
    assertThat(compress(with(brief, TLS, otherKeys), node, in, "other.gz"))
        .hasValueSatisfying(FleetFixture::findsNoNode)
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .endsWith(
                        node + ": the certificate of the node is not of the CA of this member"));
    assertThat(Refusals.of(systems.get(0)).counts().keySet())
        .as("the node may be unable to decrypt the alert of the client: the reason is then tls")
        .contains("plain")
        .containsAnyOf("otherCertificate", "tls");
    assertWorks(with(TLS, members.get(1)), node);
    assertOneLine("plain=1");
  }

  /** Checks the reasons that the node has counted. A client that tries again counts again. */
  private void assertRefused(String... reasons) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .untilAsserted(
            () ->
                assertThat(Refusals.of(systems.get(0)).counts())
                    .containsOnlyKeys(reasons)
                    .allSatisfy((reason, count) -> assertThat(count).isPositive()));
  }

  private void assertWorks(Config client, HostPort node) throws Exception {
    Path in = file("work", 3 * BLOCK);
    assertThat(compress(client, node, in, "work.gz")).isEmpty();
    try (InputStream plain = new GZIPInputStream(Files.newInputStream(folder.resolve("work.gz")))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(in));
    }
  }

  private void assertOneLine(String counts) {
    assertThat(log.list)
        .extracting(ILoggingEvent::getLevel, ILoggingEvent::getFormattedMessage)
        .as("one line per minute, and no error of Pekko")
        .singleElement()
        .satisfies(line -> assertThat(line.toString()).contains(Level.WARN.toString(), counts));
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.3, noCertificate", "TLSv1.2, tls"})
  void aTlsClientWithoutACertificateOrOfAnOlderVersionIsCounted(String version, String reason)
      throws Exception {
    HostPort node = node(with(TLS, members.get(0)), List.of());
    try (SSLSocket socket =
        (SSLSocket) trusting(null).getSocketFactory().createSocket(node.host(), node.port())) {
      socket.setSoTimeout(LIMIT_S * 1000);
      socket.setEnabledProtocols(new String[] {version});
      assertThat(isRefused(socket)).as("the node ends the connection").isTrue();
    }
    assertThat(Refusals.of(systems.get(0)).counts()).isEqualTo(Map.of(reason, 1L));
    assertWorks(with(TLS, members.get(1)), node);
    assertOneLine(reason + "=1");
  }

  private static boolean isRefused(SSLSocket socket) throws IOException {
    try {
      socket.startHandshake();
      return socket.getInputStream().read() < 0;
    } catch (SSLException e) {
      return String.valueOf(e.getMessage()).contains("fatal alert");
    } catch (SocketException e) {
      return true; // reset
    }
  }

  /** Returns TLS that trusts the CA of the fleet. */
  private static SSLContext trusting(KeyManager @Nullable [] own) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(members.get(0).resolve("ca.crt"))) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, trust.getTrustManagers(), null);
    return context;
  }

  /** Sends garbage, a frame of a negative length, a damaged one, and one of an unknown stream. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "474554202f20485454502f312e310d0a",
        "50454b4b01ffffffff00",
        "50454b4b010500000001020304050000",
        "50454b4b0905000000010203040500"
      })
  void damagedBytesAreCountedAndCostNoJob(String bytes) throws Exception {
    HostPort node = node(List.of());
    send(node, bytes);
    send(node, bytes);
    assertRefused("frame");
    assertWorks(config(), node);
    assertOneLine("frame=1");
  }

  /** Sends a length above 2 MiB, also those with which Pekko would wait or read for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"01002000", "00000070", "fcffff7f", "ffffffff"})
  void aMemberWithAFrameThatIsTooLongIsCountedAndCostsNoJob(String length) throws Exception {
    HostPort node = node(with(TLS, members.get(0)), List.of());
    try (SSLSocket socket =
        (SSLSocket)
            trusting(keyManagers()).getSocketFactory().createSocket(node.host(), node.port())) {
      socket.setSoTimeout(LIMIT_S * 1000);
      socket.getOutputStream().write(HexFormat.of().parseHex("50454b4b01" + length));
      assertThat(isRefused(socket)).as("the node ends the connection").isTrue();
    }
    assertRefused("frame");
    assertWorks(with(TLS, members.get(1)), node);
    assertOneLine("frame=1");
  }

  private static KeyManager[] keyManagers() throws Exception {
    Path member = members.get(1);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(member.resolve("node.crt"))) {
      Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
      PrivateKey key =
          DERPrivateKeyLoader.load(PEMDecoder.decode(Files.readString(member.resolve("node.key"))));
      store.setKeyEntry("own", key, new char[0], new Certificate[] {own});
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  /** Pekko has no limit without TLS: it waits for the frame of 1.75 GiB until the peer ends. */
  @Test
  void anEndBeforeTheEndOfALongFrameCostsNoJob() throws Exception {
    HostPort node = node(List.of());
    send(node, "50454b4b010000007000");
    assertWorks(config(), node);
    assertThat(Refusals.of(systems.get(0)).counts()).isEmpty();
  }

  private static void send(HostPort node, String bytes) throws IOException {
    try (Socket socket = new Socket(node.host(), node.port())) {
      socket.getOutputStream().write(HexFormat.of().parseHex(bytes));
      socket.shutdownOutput();
      socket.setSoTimeout(LIMIT_S * 1000);
      assertThat(isClosed(socket)).as("the node ends the connection").isTrue();
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // reset
    }
  }
}
