package io.dpuactors.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Creates the keys of a fleet: a CA, and a key with a certificate for each member. The JDK's
 * keytool creates and signs them. All members have one subject, which {@link FleetTls} requires.
 */
public final class FleetKeys {
  private static final String CA = "ca";
  private static final String CA_KEY = "ca.key";
  private static final String SUBJECT = "CN=dpu-fleet";
  private static final int KEYTOOL_LIMIT_S = 300;
  private static final int KILL_LIMIT_S = 5;
  private static final String VALID_DAYS = "3650";

  private static final FileAttribute<?> OWNER_FOLDER = mode("rwx------");
  private static final FileAttribute<?> OWNER_FILE = mode("rw-------");

  private final Path folder;
  private final Path scratch;
  private final Path keytool;
  private final Path store;
  private final Path output;
  private final char[] password = HexFormat.of().formatHex(randomBytes()).toCharArray();

  private FleetKeys(Path folder, Path scratch, Path keytool) {
    this.folder = folder;
    this.scratch = scratch;
    this.keytool = keytool;
    store = scratch.resolve("store.p12");
    output = scratch.resolve("output.txt");
  }

  /**
   * Creates the CA in {@code folder/ca} if it does not exist, and the keys of further members in
   * {@code folder/member-1} and so on. Only the owner can read the folders and keys. A call that
   * fails or is interrupted adds no folder.
   *
   * @param members number of members to add
   * @return the folders of the new members
   * @throws IOException if a file cannot be written, or if keytool fails
   * @throws InterruptedException if the thread is interrupted while keytool runs
   */
  public static List<Path> create(Path folder, int members)
      throws IOException, InterruptedException {
    return create(folder, members, Path.of(System.getProperty("java.home"), "bin", "keytool"));
  }

  static List<Path> create(Path folder, int members, Path keytool)
      throws IOException, InterruptedException {
    boolean isNew = Files.notExists(folder);
    Files.createDirectories(folder, OWNER_FOLDER);
    Path scratch = Files.createTempDirectory(folder, ".keytool", OWNER_FOLDER);
    try {
      return new FleetKeys(folder, scratch, keytool).create(members);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot create the keys: " + e.getMessage(), e);
    } finally {
      deleteAll(scratch);
      if (isNew && Files.notExists(folder.resolve(CA))) {
        Files.delete(folder);
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static FileAttribute<?> mode(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private List<Path> create(int members)
      throws IOException, InterruptedException, GeneralSecurityException {
    List<Path> created = new ArrayList<>();
    Path ca = folder.resolve(CA);
    if (Files.exists(ca)) {
      loadCa(ca);
    } else {
      createCa(scratch.resolve(CA));
      created.add(ca);
    }
    List<Path> added = new ArrayList<>();
    for (int number = 1; added.size() < members; number++) {
      Path member = folder.resolve("member-" + number);
      if (Files.notExists(member)) {
        createMember(scratch.resolve(member.getFileName()));
        added.add(member);
      }
    }
    created.addAll(added);
    publish(created);
    return added;
  }

  /** Moves complete folders from the scratch folder to their places: all, or none. */
  private void publish(List<Path> places) throws IOException {
    List<Path> moved = new ArrayList<>();
    try {
      for (Path place : places) {
        Files.move(scratch.resolve(place.getFileName()), place, StandardCopyOption.ATOMIC_MOVE);
        moved.add(place);
      }
    } catch (IOException e) {
      for (Path place : moved) {
        deleteAll(place);
      }
      throw e;
    }
  }

  private void createCa(Path ca)
      throws IOException, InterruptedException, GeneralSecurityException {
    keytool(CA, SUBJECT + " CA", "-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign");
    KeyStore keys = load();
    Files.createDirectory(ca, OWNER_FOLDER);
    writeKey(ca.resolve(CA_KEY), keys.getKey(CA, password));
    write(ca.resolve(FleetTls.CA_CERTIFICATE), "CERTIFICATE", keys.getCertificate(CA).getEncoded());
  }

  private void createMember(Path member)
      throws IOException, InterruptedException, GeneralSecurityException {
    String name = member.getFileName().toString();
    keytool(
        name,
        SUBJECT,
        "-signer",
        CA,
        "-ext",
        "ku:critical=digitalSignature",
        "-ext",
        "eku=serverAuth,clientAuth");
    KeyStore keys = load();
    Files.createDirectory(member, OWNER_FOLDER);
    writeKey(member.resolve(FleetTls.KEY), keys.getKey(name, password));
    Certificate[] chain = keys.getCertificateChain(name);
    write(member.resolve(FleetTls.CERTIFICATE), "CERTIFICATE", chain[0].getEncoded());
    write(
        member.resolve(FleetTls.CA_CERTIFICATE),
        "CERTIFICATE",
        keys.getCertificate(CA).getEncoded());
  }

  /**
   * Creates a key and its certificate in the store. The password is no argument, which ps shows.
   */
  private void keytool(String alias, String subject, String... more)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                subject,
                "-keyalg",
                "RSA",
                "-keysize",
                "3072",
                "-sigalg",
                "SHA256withRSA",
                "-validity",
                VALID_DAYS,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass:env",
                "DPU_STORE_PASSWORD"));
    words.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("DPU_STORE_PASSWORD", new String(password));
    Process process = builder.redirectOutput(output.toFile()).start();
    try {
      if (!process.waitFor(KEYTOOL_LIMIT_S, TimeUnit.SECONDS)) {
        throw new IOException("keytool has not ended within " + KEYTOOL_LIMIT_S + " s");
      }
    } finally { // keytool must not write while its folder is deleted
      process.destroyForcibly().waitFor(KILL_LIMIT_S, TimeUnit.SECONDS);
    }
    if (process.exitValue() != 0) {
      throw new IOException("keytool failed: " + Files.readString(output).strip());
    }
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    return keys;
  }

  /** Stores the key of an earlier CA, so that keytool can sign with it. */
  private void loadCa(Path ca) throws IOException, GeneralSecurityException {
    String pem =
        Files.readString(ca.resolve(CA_KEY))
            .lines()
            .filter(line -> !line.startsWith("-----"))
            .reduce("", String::concat);
    Key key =
        KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, password);
    try (InputStream in = Files.newInputStream(ca.resolve(FleetTls.CA_CERTIFICATE))) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      keys.setKeyEntry(CA, key, password, new Certificate[] {certificate});
    }
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, password);
    }
  }

  private static void writeKey(Path file, Key key) throws IOException {
    write(file, "PRIVATE KEY", key.getEncoded());
  }

  /** Writes a new PEM file that only its owner can read. */
  private static void write(Path file, String type, byte[] der) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.createFile(file, OWNER_FILE);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, lines, type));
  }
}
