package io.dpuactors.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds with scripts that build nothing. */
class CheckoutTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path root = Path.of("");

  private Checkout checkout(String script) throws IOException {
    Path file = Files.createDirectories(root.resolve("scripts")).resolve("build-plain-c");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new Checkout(root);
  }

  @Test
  void theBuildPrintsItsFolder() throws Exception {
    assertThat(checkout("echo '/plain c'").buildPlainC(LIMIT)).isEqualTo(Path.of("/plain c"));
  }

  @Test
  void aFailedBuildIsAnError() throws IOException {
    Checkout checkout = checkout("echo /plain; exit 1");
    assertThatThrownBy(() -> checkout.buildPlainC(LIMIT))
        .isInstanceOf(RunException.class)
        .hasMessage("the plain-C programs could not be built");
  }

  @Test
  void aBuildHasALimit() throws IOException {
    Checkout checkout = checkout("exec sleep 60");
    assertThatThrownBy(() -> checkout.buildPlainC(Duration.ofSeconds(1)))
        .isInstanceOf(RunException.class)
        .hasMessage("the plain-C programs were not built within 1 s");
  }
}
