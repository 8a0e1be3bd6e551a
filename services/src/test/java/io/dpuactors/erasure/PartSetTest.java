package io.dpuactors.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Tests the texts about files that are not used. */
class PartSetTest {
  @Test
  void anErrorOfAFileHasAReasonWithoutItsName() {
    assertThat(PartSet.reason(new AccessDeniedException("/a"))).isEqualTo("permission denied");
    assertThat(PartSet.reason(new NoSuchFileException("/a"))).isEqualTo("no such file");
    assertThat(PartSet.reason(new FileSystemException("/a", null, "Stale file handle")))
        .isEqualTo("Stale file handle");
    assertThat(PartSet.reason(new IOException("Input/output error")))
        .isEqualTo("Input/output error");
  }
}
