package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPrivateKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.pki.pem.DERPrivateKeyLoader;
import org.apache.pekko.pki.pem.PEMDecoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests that the log of members with TLS has no secret at level debug. */
@ExtendWith(DroppedLog.class) // thousands of lines
class FleetSecretsTest extends FleetFixture {
  private static final String PASSWORD = "correct-horse-battery";

  private final Logger root = logger(Logger.ROOT_LOGGER_NAME);
  private final Logger pekko = logger("org.apache.pekko");
  private final Level rootLevel = root.getLevel();
  private final Level pekkoLevel = pekko.getLevel();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  @BeforeEach
  void collectLog() {
    log.start();
    root.addAppender(log);
    root.setLevel(Level.DEBUG);
    pekko.setLevel(Level.DEBUG);
  }

  @AfterEach
  void restoreLog() {
    root.detachAppender(log);
    root.setLevel(rootLevel);
    pekko.setLevel(pekkoLevel);
  }

  @Test
  void noKeyAndNoPasswordIsLogged() throws Exception {
    Path keys = FleetKeys.create(folder.resolve("keys"), 1).get(0);
    HostPort node = node(member(keys), List.of());
    assertThat(compress(member(keys), node, file("in", 3 * BLOCK), "in.gz")).isEmpty();
    List<ILoggingEvent> events;
    synchronized (log) { // the node still logs
      events = List.copyOf(log.list);
    }
    List<String> lines = events.stream().map(FleetSecretsTest::text).toList();
    assertThat(events)
        .as("the members log at level debug")
        .anyMatch(event -> event.getLevel() == Level.DEBUG && isOf(event, "pekko.remote"))
        .anyMatch(event -> event.getLevel() == Level.DEBUG && isOf(event, "pekko.cluster"));
    assertNotIn(lines, secrets(keys));
  }

  private static Config member(Path keys) {
    Config tls = with("dpu.fleet.tls-dir", keys);
    String store = "pekko.remote.artery.ssl.config-ssl-engine.key-store-password";
    return with(with(tls, store, PASSWORD), "pekko.loglevel", "DEBUG");
  }

  private static boolean isOf(ILoggingEvent event, String part) {
    return event.getLoggerName().contains(part);
  }

  private static String text(ILoggingEvent event) {
    String thrown =
        event.getThrowableProxy() == null
            ? ""
            : ThrowableProxyUtil.asString(event.getThrowableProxy());
    return event.getFormattedMessage() + event.getMDCPropertyMap() + thrown;
  }

  /** Returns the password, and the keys as text, as number and in hexadecimal digits. */
  private List<String> secrets(Path keys) throws Exception {
    List<String> secrets = new ArrayList<>(List.of(PASSWORD));
    for (Path file : List.of(folder.resolve("keys/ca/ca.key"), keys.resolve("node.key"))) {
      String text = Files.readString(file);
      text.lines().filter(line -> !line.startsWith("-")).forEach(secrets::add);
      RSAPrivateKey key = (RSAPrivateKey) DERPrivateKeyLoader.load(PEMDecoder.decode(text));
      secrets.add(key.getPrivateExponent().toString());
      secrets.add(key.getPrivateExponent().toString(16));
    }
    return secrets;
  }

  /** The failure names the secret by its number only. */
  private static void assertNotIn(List<String> lines, List<String> secrets) {
    for (int i = 0; i < secrets.size(); i++) {
      String secret = secrets.get(i);
      assertThat(lines.stream().filter(line -> line.contains(secret)).count())
          .as("lines with secret %d of %d", i, secrets.size())
          .isZero();
    }
  }
}
