package io.dpuactors.fleet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import org.apache.pekko.pki.pem.DERPrivateKeyLoader;
import org.apache.pekko.pki.pem.PEMDecoder;
import org.jspecify.annotations.Nullable;

/**
 * TLS between the members: version 1.3, with certificates on both sides. A member accepts peers
 * with a certificate of the same CA and with its own subject. Pekko reads the files again at least
 * every five minutes, so that a file can be replaced without a restart.
 */
final class FleetTls {
  /** Certificate of the CA, PEM. */
  static final String CA_CERTIFICATE = "ca.crt";

  /** Certificate of the member, PEM. */
  static final String CERTIFICATE = "node.crt";

  /** Private key of the member: RSA, PEM, as PKCS#8 or PKCS#1. */
  static final String KEY = "node.key";

  private static final String ARTERY = "pekko.remote.artery.";
  private static final String FILES = ARTERY + "ssl.rotating-keys-engine.";

  private FleetTls() {}

  /**
   * Returns the configuration of a member with TLS if {@code dpu.fleet.tls-dir} is set.
   *
   * @throws IllegalArgumentException if a file of the folder is missing or unsuitable, if the key
   *     is not that of the certificate, or if a member beyond loopback has no folder
   */
  static Config apply(Config config) {
    String folder = config.getString("dpu.fleet.tls-dir");
    if (folder.isEmpty()) {
      requireLoopback(config, "dpu.fleet.host");
      requireLoopback(config, ARTERY + "bind.hostname");
      return config;
    }
    Path keys = Path.of(folder).toAbsolutePath().normalize();
    Path key = keys.resolve(KEY);
    checkMode(key);
    requireKeyOf(readCertificate(keys.resolve(CERTIFICATE)), key, readKey(key));
    readCertificate(keys.resolve(CA_CERTIFICATE));
    return ConfigFactory.parseMap(
            Map.of(
                ARTERY + "transport", "tls-tcp",
                ARTERY + "ssl.ssl-engine-provider", CountedTls.class.getName(),
                FILES + "key-file", key.toString(),
                FILES + "cert-file", keys.resolve(CERTIFICATE).toString(),
                FILES + "ca-cert-file", keys.resolve(CA_CERTIFICATE).toString()))
        .withFallback(config);
  }

  private static void requireLoopback(Config config, String key) {
    String host = config.getString(key);
    if (!host.isEmpty() && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "%s is %s: members beyond loopback need keys; create them with %s fleet init, and set dpu.fleet.tls-dir"
              .formatted(key, host, Fleet.program()));
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // a name that only other machines resolve
    }
  }

  private static void checkMode(Path file) {
    try {
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      if (!mode.endsWith("------")) {
        throw unsuitable(
            "%s has mode %s; only its owner may read it (chmod 600)".formatted(file, mode), null);
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** Reads the key as Pekko does, because Pekko reports a key that it cannot use only later. */
  private static PrivateKey readKey(Path file) {
    try {
      return DERPrivateKeyLoader.load(PEMDecoder.decode(Files.readString(file)));
    } catch (IOException e) {
      throw unreadable(file, e);
    } catch (Exception e) { // the loader is Scala, and also throws checked exceptions of the JDK
      throw unsuitable("%s is no RSA key in PEM: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static X509Certificate readCertificate(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      certificate.checkValidity();
      return certificate;
    } catch (GeneralSecurityException e) {
      throw unsuitable("%s: %s".formatted(file, e.getMessage()), e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static void requireKeyOf(X509Certificate certificate, Path file, PrivateKey key) {
    if (!(key instanceof RSAPrivateKey rsa)
        || !(certificate.getPublicKey() instanceof RSAPublicKey open)
        || !open.getModulus().equals(rsa.getModulus())) {
      throw unsuitable("%s is not the RSA key of %s".formatted(file, CERTIFICATE), null);
    }
  }

  private static IllegalArgumentException unsuitable(String what, @Nullable Exception cause) {
    return new IllegalArgumentException("dpu.fleet.tls-dir: " + what, cause);
  }

  private static IllegalArgumentException unreadable(Path file, IOException cause) {
    return unsuitable("cannot read %s: %s".formatted(file, cause), cause);
  }
}
