package io.dpuactors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

/** Tests the reasons of errors of files. */
class IoReasonTest {
  @Test
  void anErrorOfAFileHasAReasonWithoutItsName() {
    assertThat(IoReason.of(new AccessDeniedException("/a"))).isEqualTo("permission denied");
    assertThat(IoReason.of(new NoSuchFileException("/a"))).isEqualTo("no such file");
    assertThat(IoReason.of(new NotDirectoryException("/a"))).isEqualTo("is not a directory");
    assertThat(IoReason.of(new FileAlreadyExistsException("/a"))).isEqualTo("exists already");
    assertThat(IoReason.of(new FileSystemException("/a", null, "Stale file handle")))
        .isEqualTo("Stale file handle");
    assertThat(IoReason.of(new IOException("Input/output error"))).isEqualTo("Input/output error");
  }
}
