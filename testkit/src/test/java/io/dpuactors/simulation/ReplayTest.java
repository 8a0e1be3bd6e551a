package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that the same seeds give the same runs in another process. */
class ReplayTest {
  private static final int SEEDS = 40;
  private static final int FROM = 1;

  @Test
  void anotherProcessRunsTheSame() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ReplayTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> here = hashes();
    List<String> there =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(there).isEqualTo(here);
  }

  /** Prints the hash of each scenario. */
  public static void main(String[] args) {
    hashes().forEach(System.out::println);
  }

  private static List<String> hashes() {
    Campaign campaign = new Campaign(OptionalLong.empty());
    return Simulator.scenarios().stream()
        .map(name -> name + " " + campaign.run(name, FROM, SEEDS).hash())
        .toList();
  }
}
