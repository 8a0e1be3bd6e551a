package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the keys of members, and the configuration of TLS. */
class FleetKeysTest {
  private static final Duration LIMIT = Duration.ofSeconds(100);

  @TempDir static Path folder;
  @TempDir Path other;

  private static Path keys;
  private static List<Path> members;

  @BeforeAll
  static void create() throws Exception {
    keys = folder.resolve("keys");
    members = FleetKeys.create(keys, 1);
  }

  private static X509Certificate certificate(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static Config member(String... settings) {
    Config config = ConfigFactory.load(FleetConfig.defaults());
    for (int i = 0; i < settings.length; i += 2) {
      config = config.withValue(settings[i], ConfigValueFactory.fromAnyRef(settings[i + 1]));
    }
    return FleetConfig.node(config, 0, List.of());
  }

  @Test
  void aCertificateIsSignedByTheCaAndFitsItsUse() throws Exception {
    X509Certificate ca = certificate(keys.resolve("ca/ca.crt"));
    X509Certificate member = certificate(members.get(0).resolve("node.crt"));
    member.verify(ca.getPublicKey());
    assertThat(member.getSubjectX500Principal().getName()).isEqualTo("CN=dpu-fleet");
    assertThat(member.getBasicConstraints()).as("no CA").isNegative();
    assertThat(ca.getBasicConstraints()).as("a CA").isNotNegative();
    assertThat(member.getExtendedKeyUsage())
        .containsExactlyInAnyOrder("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(((RSAPublicKey) member.getPublicKey()).getModulus().bitLength()).isEqualTo(3072);
    assertThat(members.get(0).resolve("ca.crt")).hasSameBinaryContentAs(keys.resolve("ca/ca.crt"));
  }

  @Test
  void onlyTheOwnerReadsTheFiles() throws IOException {
    try (Stream<Path> all = Files.walk(keys)) {
      assertThat(all)
          .allSatisfy(
              path ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
    try (Stream<Path> all = Files.list(keys)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .as("no store of keytool remains")
          .contains("ca", "member-1")
          .noneMatch(name -> name.startsWith("."));
    }
  }

  @Test
  void aSecondCallAddsMembersOfTheSameCa() throws Exception {
    byte[] before = Files.readAllBytes(members.get(0).resolve("node.key"));
    List<Path> added = FleetKeys.create(keys, 1);
    assertThat(added).containsExactly(keys.resolve("member-2"));
    certificate(added.get(0).resolve("node.crt"))
        .verify(certificate(keys.resolve("ca/ca.crt")).getPublicKey());
    assertThat(members.get(0).resolve("node.key")).hasBinaryContent(before);
  }

  @Test
  void aFolderTurnsTlsOn() {
    Config config = member("dpu.fleet.tls-dir", members.get(0).toString(), "dpu.fleet.host", "h");
    assertThat(config.getString("pekko.remote.artery.transport")).isEqualTo("tls-tcp");
    assertThat(config.getString("pekko.remote.artery.ssl.rotating-keys-engine.protocol"))
        .isEqualTo("TLSv1.3");
    assertThat(member().getString("pekko.remote.artery.transport")).isEqualTo("tcp");
  }

  @Test
  void aMemberBeyondLoopbackNeedsKeys() {
    assertThatThrownBy(() -> member("dpu.fleet.host", "192.0.2.1"))
        .hasMessageStartingWith("dpu.fleet.host is 192.0.2.1: members beyond loopback need keys");
    assertThatThrownBy(() -> member("pekko.remote.artery.bind.hostname", "0.0.0.0"))
        .hasMessageStartingWith("pekko.remote.artery.bind.hostname is 0.0.0.0: members beyond");
    assertThat(member("dpu.fleet.host", "::1").getString("dpu.fleet.host")).isEqualTo("::1");
  }

  /** Other members would drop the messages of such a member, which would wait without a limit. */
  @ParameterizedTest
  @ValueSource(strings = {"my_dpu", "dpu1:25520", "<getHostName>", "1.2.3", ""})
  void aHostThatPekkoCannotReadIsRefused(String host) {
    assertThatThrownBy(
            () -> member("dpu.fleet.host", host, "dpu.fleet.tls-dir", members.get(0).toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "dpu.fleet.host is '%s'; it must be an IP address, or a name of letters, digits, dots and hyphens",
            host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"::1", "[::1]"})
  void anIpv6AddressHasBrackets(String host) {
    assertThat(member("dpu.fleet.host", host).getString("pekko.remote.artery.canonical.hostname"))
        .isEqualTo("[::1]");
  }

  @Test
  void aKeyThatOthersCanReadIsRefused() throws IOException {
    Path copy = copy();
    Files.setPosixFilePermissions(
        copy.resolve("node.key"), PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> member("dpu.fleet.tls-dir", copy.toString()))
        .hasMessageEndingWith(
            "node.key has mode rw-r-----; only its owner may read it (chmod 600)");
  }

  @Test
  void aMissingFileAndADamagedCertificateAreRefused() throws IOException {
    Path copy = copy();
    Files.writeString(copy.resolve("node.crt"), "no certificate");
    assertThatThrownBy(() -> member("dpu.fleet.tls-dir", copy.toString()))
        .hasMessageStartingWith("dpu.fleet.tls-dir: " + copy.resolve("node.crt"));
    Files.delete(copy.resolve("node.key"));
    assertThatThrownBy(() -> member("dpu.fleet.tls-dir", copy.toString()))
        .hasMessageStartingWith("dpu.fleet.tls-dir: cannot read " + copy.resolve("node.key"));
  }

  @Test
  void aKeyThatPekkoCannotUseIsRefused() throws Exception {
    Path copy = copy();
    Path key = copy.resolve("node.key");
    String good = Files.readString(key);
    assertKeyRefused(copy, "", "node.key is no RSA key in PEM: ");
    assertKeyRefused(copy, good.substring(0, good.length() / 2), "is no RSA key in PEM: ");
    assertKeyRefused(copy, good.replaceAll("(?m)^[^-].{20}", "A"), "is no RSA key in PEM: ");
    assertKeyRefused(copy, pem(pair("EC", 256)), "node.key is no RSA key in PEM: ");
    assertKeyRefused(copy, pem(pair("RSA", 2048)), "node.key is not the RSA key of node.crt");
    Files.delete(key);
    Files.createDirectory(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    assertThatThrownBy(() -> member("dpu.fleet.tls-dir", copy.toString()))
        .hasMessageStartingWith("dpu.fleet.tls-dir: cannot read " + key);
  }

  private static void assertKeyRefused(Path folder, String text, String why) throws IOException {
    Files.writeString(folder.resolve("node.key"), text);
    assertThatThrownBy(() -> member("dpu.fleet.tls-dir", folder.toString()))
        .as(text)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("dpu.fleet.tls-dir: " + folder)
        .hasMessageContaining(why)
        .message()
        .hasLineCount(1);
  }

  private static PrivateKey pair(String algorithm, int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    return generator.generateKeyPair().getPrivate();
  }

  private static String pem(PrivateKey key) {
    String text = Base64.getMimeEncoder().encodeToString(key.getEncoded());
    return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
  }

  @Test
  void aCallThatFailsAddsNoFolder() throws Exception {
    Path created = other.resolve("keys");
    Path keytool = keytoolThatWorksOnce();
    assertThatThrownBy(() -> FleetKeys.create(created, 1, keytool))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keytool failed: no entropy");
    assertThat(created).doesNotExist();
    Path extended = Files.createDirectory(other.resolve("extended"));
    Files.createDirectory(extended.resolve("ca"));
    for (String file : List.of("ca.key", "ca.crt")) {
      Files.copy(keys.resolve("ca").resolve(file), extended.resolve("ca").resolve(file));
    }
    Files.delete(keytool.resolveSibling("ran"));
    assertThatThrownBy(() -> FleetKeys.create(extended, 2, keytool))
        .hasMessageContaining("keytool failed: no entropy");
    try (Stream<Path> all = Files.list(extended)) {
      assertThat(all).containsExactly(extended.resolve("ca"));
    }
  }

  /** A program that still runs would write to the folder that the call deletes. */
  @Test
  void anInterruptedCallEndsKeytoolAndAddsNothing() throws Exception {
    Path created = other.resolve("keys");
    Path keytool = program("echo $$ >%1$s/new && mv %1$s/new %1$s/pid && exec sleep 1000");
    FutureTask<List<Path>> call = new FutureTask<>(() -> FleetKeys.create(created, 1, keytool));
    Thread caller = new Thread(call, "caller");
    caller.start();
    Path pid = other.resolve("pid");
    Awaitility.await().atMost(LIMIT).until(() -> Files.exists(pid) || call.isDone());
    ProcessHandle process =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    try {
      caller.interrupt();
      assertThat(call)
          .failsWithin(LIMIT)
          .withThrowableThat()
          .withCauseInstanceOf(InterruptedException.class);
      assertThat(process.isAlive()).as("keytool is alive").isFalse();
      assertThat(created).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns a program that calls keytool once, and fails when it is called again. */
  private Path keytoolThatWorksOnce() throws IOException {
    return program(
        """
        [ -e %1$s/ran ] && echo no entropy && exit 1
        touch %1$s/ran
        exec %2$s/bin/keytool "$@"
        """);
  }

  private Path program(String script) throws IOException {
    Path program = other.resolve("keytool");
    Files.writeString(
        program, ("#!/bin/sh\n" + script).formatted(other, System.getProperty("java.home")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }

  private Path copy() throws IOException {
    try (Stream<Path> files = Files.list(members.get(0))) {
      for (Path file : files.toList()) {
        Files.copy(file, other.resolve(file.getFileName()));
      }
    }
    return other;
  }
}
