package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the rows of the libraries, and the capabilities that they return. */
class TaskLibraryTest {
  private static final TaskLimits LIMITS = new TaskLimits(true, 1, 1);

  @Test
  void eachKindOfTasksBetweenBuffersBelongsToOneLibrary() {
    EnumSet<TaskKind> all = EnumSet.range(TaskKind.COMPRESS_DEFLATE, TaskKind.DMA_MEMCPY);
    all.add(TaskKind.SHA_HASH);

    assertThat(Stream.of(TaskLibrary.values()).flatMap(library -> library.kinds().stream()))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void eachLibraryHasTheFunctionsOfItsKinds() {
    for (TaskLibrary library : TaskLibrary.values()) {
      assertThat(TaskFunctions.of(library).kinds()).isEqualTo(library.kinds());
    }
  }

  @Test
  void aLibraryHasTheNameOfItsFunctions() {
    assertThat(TaskLibrary.DMA.docaName()).isEqualTo("doca_dma");
    assertThat(TaskLibrary.COMPRESS.shortName()).isEqualTo("compress");
    assertThat(TaskLibrary.DMA.kinds()).isEqualTo(Set.of(TaskKind.DMA_MEMCPY));
  }

  @Test
  void capabilitiesContainTheSupportedKindsOnly() {
    TaskCapabilities some =
        new TaskCapabilities(
            Map.of(TaskKind.DMA_MEMCPY, LIMITS, TaskKind.COMPRESS_DEFLATE, TaskLimits.NONE), 7);

    assertThat(some.any()).isTrue();
    assertThat(some.limits()).containsOnlyKeys(TaskKind.DMA_MEMCPY);
    assertThat(some.of(TaskKind.DMA_MEMCPY)).isEqualTo(LIMITS);
    assertThat(some.of(TaskKind.COMPRESS_DEFLATE)).isEqualTo(TaskLimits.NONE);
    assertThat(new TaskCapabilities(Map.of(TaskKind.DMA_MEMCPY, TaskLimits.NONE), 0))
        .isEqualTo(TaskCapabilities.NONE);
    assertThat(TaskCapabilities.NONE.any()).isFalse();
  }
}
