package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownMembersTest {
  private static final HostPort A = new HostPort("a", 1);
  private static final HostPort B = new HostPort("b", 1);
  private static final HostPort C = new HostPort("c", 1);

  @TempDir Path folder;

  private Config config() {
    return ConfigFactory.load(FleetConfig.defaults())
        .withValue("dpu.fleet.host", ConfigValueFactory.fromAnyRef("b"))
        .withValue("dpu.fleet.node.state-dir", ConfigValueFactory.fromAnyRef(folder.toString()));
  }

  private KnownMembers members() {
    return Objects.requireNonNull(KnownMembers.of(config(), B));
  }

  @Test
  void aNodeContactsTheMembersOfItsLastRun() throws IOException {
    assertThat(FleetConfig.seeds(config(), 1, List.of())).as("begins a fleet").isEmpty();
    members().write(List.of(C, A));
    assertThat(members().read()).containsExactly(A, C);
    assertThat(FleetConfig.seeds(config(), 1, List.of())).containsExactly(A, B, C);
    assertThat(FleetConfig.seeds(config(), 1, List.of(C))).containsExactly(C, A);
    assertThat(FleetConfig.seeds(config(), 2, List.of())).as("another node").isEmpty();
    members().write(List.of());
    assertThat(FleetConfig.seeds(config(), 1, List.of())).as("the last of its fleet").isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("b:1.members"));
    }
  }

  @Test
  void aNodeWithoutAFixedPortOrAFolderKeepsNothing() {
    assertThat(KnownMembers.of(config(), new HostPort("b", 0))).isNull();
    Config off = config().withValue("dpu.fleet.node.state-dir", ConfigValueFactory.fromAnyRef(""));
    assertThat(KnownMembers.of(off, B)).isNull();
  }

  @Test
  void aLeadingTildeIsTheHomeFolder() {
    Config home =
        config().withValue("dpu.fleet.node.state-dir", ConfigValueFactory.fromAnyRef("~/x"));
    assertThat(KnownMembers.of(home, B))
        .hasToString(System.getProperty("user.home") + "/x/b:1.members");
  }

  @ParameterizedTest
  @CsvSource({
    "'', the file is empty or truncated",
    "a:1\\n, the file is empty or truncated",
    "a:1\\nen, the file is empty or truncated",
    "a:1\\nnonsense\\nend\\n, 'nonsense' is not an address",
    "\u00ff, the file is no text"
  })
  void aDamagedFileIsRefused(String text, String why) throws IOException {
    Files.writeString(
        folder.resolve("b:1.members"), text.replace("\\n", "\n"), StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> members().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("b:1.members: " + why)
        .hasMessageEndingWith("(remove the file, and name the other nodes with --join)");
  }

  @Test
  void unchangedMembersAreNotWrittenAgain() throws IOException {
    KnownMembers members = members();
    members.write(List.of(A, C));
    Object file = fileKey();
    members.write(List.of(C, A));
    assertThat(fileKey()).isEqualTo(file);
    members.write(List.of(A));
    assertThat(members.read()).containsExactly(A);
  }

  private Object fileKey() throws IOException {
    return Files.readAttributes(folder.resolve("b:1.members"), BasicFileAttributes.class).fileKey();
  }

  @Test
  void onlyAFirstSeedWaitsForEachAnswer() {
    String key = "pekko.cluster.seed-node-timeout";
    assertThat(FleetConfig.node(loopback(), 1, List.of(first(), C)).getDuration(key).toDays())
        .isEqualTo(3650);
    assertThat(FleetConfig.node(loopback(), 1, List.of(C, first())).getDuration(key)).hasSeconds(1);
    assertThat(FleetConfig.node(loopback(), 1, List.of(first())).getDuration(key)).hasSeconds(1);
  }

  @Test
  void aFirstSeedMayHaveAnIpv6AddressWithoutBrackets() {
    HostPort self = HostPort.parse("[::1]:1");
    assertThat(
            FleetConfig.node(host("::1"), 1, List.of(self, C))
                .getDuration("pekko.cluster.seed-node-timeout")
                .toDays())
        .isEqualTo(3650);
  }

  private Config loopback() {
    return host("127.0.0.1");
  }

  private Config host(String host) {
    return config().withValue("dpu.fleet.host", ConfigValueFactory.fromAnyRef(host));
  }

  private static HostPort first() {
    return new HostPort("127.0.0.1", 1);
  }
}
