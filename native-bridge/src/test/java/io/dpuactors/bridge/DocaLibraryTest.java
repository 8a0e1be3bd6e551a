package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocaLibraryTest {
  private final DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);

  @Test
  void softwareDpuReportsThatItIsOne() {
    assertThat(library.isSoftwareDpu()).isTrue();
    assertThat(library.name()).isEqualTo("software DPU");
    assertThat(library.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(library.reason()).isNotBlank();
  }

  @Test
  void pathsAreFiles() {
    assertThat(library.paths()).allMatch(path -> Files.isRegularFile(Path.of(path)));
    assertThat(library.paths().stream().map(path -> Path.of(path).getFileName().toString()))
        .startsWith("libdoca_common.so")
        .contains("libdoca_comch.so", "libdoca_compress.so", "libdoca_dma.so")
        .doesNotHaveDuplicates();
    assertThat(Path.of(library.bridgePath())).isRegularFile();
  }

  @Test
  void softwareDpuLacksNoFunction() {
    assertThat(library.absentFunctions()).isEmpty();
    assertThat(library.missing()).isEmpty();
  }

  @Test
  void firstCallDecides() {
    assertThat(DocaLibrary.load(LibraryChoice.SOFTDPU)).isSameAs(library);
    assertThat(DocaLibrary.load(LibraryChoice.AUTO)).isSameAs(library);
  }

  @Test
  void anotherChoiceAfterwardsNamesBoth() {
    assertThatThrownBy(() -> DocaLibrary.load(LibraryChoice.DOCA))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("dpu.library = doca, but this process already uses softdpu (software DPU)");
  }
}
