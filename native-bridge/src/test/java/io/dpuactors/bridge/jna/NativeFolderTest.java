package io.dpuactors.bridge.jna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests where the embedded libraries come from. */
class NativeFolderTest {
  private static final String NAME = "libdoca_common.so";

  @AfterEach
  void clear() {
    System.clearProperty("dpu.native");
  }

  @Test
  void theFolderOfTheLauncherReplacesTheCopyFromTheClassPath() {
    assertThat(Path.of(NativeLibraries.extract(NAME))).isRegularFile();
    System.setProperty("dpu.native", "/nowhere");
    assertThat(NativeLibraries.extract(NAME)).isEqualTo("/nowhere/" + NAME);
  }

  @Test
  void aLibraryThatCannotBeUnpackedNamesTheProperties() {
    assertThatThrownBy(() -> NativeLibraries.extract("libnobody.so"))
        .isInstanceOf(UnsatisfiedLinkError.class)
        .hasMessageContaining("libnobody.so")
        .hasMessageContaining("jna.tmpdir")
        .hasMessageContaining("dpu.native");
  }
}
