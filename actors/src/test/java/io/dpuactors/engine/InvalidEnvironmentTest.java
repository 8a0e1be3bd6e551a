package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.testing.SecondJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an invalid variable of the software DPU fails the engine at its start. */
class InvalidEnvironmentTest {
  private static final long BOUND_S = 45;

  @TempDir Path folder;

  @Test
  void theFailureOfTheEngineNamesTheVariable() throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        SecondJvm.of(List.of(), FailingStart.class)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("SOFTDPU_THREADS", "abc");
    Process program = builder.start();
    if (!program.waitFor(BOUND_S, TimeUnit.SECONDS)) {
      program.destroyForcibly();
      throw new AssertionError("still running: " + Files.readString(err));
    }

    assertThat(Files.readAllLines(out))
        .contains(
            InvalidSettingException.class.getName()
                + ": SOFTDPU_THREADS is \"abc\": it must be a number from 1 to 64");
    assertThat(err).content().doesNotContain("[software DPU]");
  }
}
