package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.ApiTable;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLibrary.Capability;
import io.dpuactors.bridge.TaskLimits;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the rows of the libraries, and the capabilities that they return. */
class TaskLibraryTest {
  private static final TaskLimits LIMITS = new TaskLimits(true, 1, 1);

  @Test
  void eachKindOfTasksBetweenBuffersBelongsToOneLibrary() {
    EnumSet<TaskKind> all = EnumSet.allOf(TaskKind.class);
    all.removeAll(EnumSet.range(TaskKind.COMCH_SERVER_SEND, TaskKind.COMCH_PRODUCER_SEND));
    all.removeAll(EnumSet.range(TaskKind.RDMA_RECEIVE, TaskKind.RDMA_FETCH_AND_ADD));
    all.removeAll(SyncEvents.kinds());
    all.removeAll(RemoteEvents.kinds());

    assertThat(Stream.of(TaskLibrary.values()).flatMap(library -> library.kinds().stream()))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(all);
  }

  /** These functions are called by name, so no compiler checks their names and parameters. */
  @ParameterizedTest
  @EnumSource
  void theTableOfTheApiHasTheFunctionsOfALibrary(TaskLibrary library) {
    Map<String, String> table = parametersInTable(library.docaName());
    assertThat(table).containsKeys(named(library, "create", "as_ctx", "destroy"));
    for (Capability each : library.capabilities()) {
      String first = "const struct doca_devinfo \\*devinfo";
      String variant = each.variants() == 0 ? "" : ", enum \\w+ \\w+";
      assertThat(table.get(name(library, each.supported()))).matches(first + variant);
      assertThat(table.get(name(library, each.maxBytes()))).matches(first + ", uint64_t \\*\\w+");
      assertThat(table.get(name(library, each.maxList()))).matches(first + ", uint32_t \\*\\w+");
    }
  }

  private static Map<String, String> parametersInTable(String library) {
    return ApiTable.read("functions.tsv").stream()
        .filter(row -> row.get("library").equals(library))
        .collect(Collectors.toMap(row -> row.get("name"), row -> row.get("parameters")));
  }

  private static String[] named(TaskLibrary library, String... functions) {
    return Stream.of(functions).map(function -> name(library, function)).toArray(String[]::new);
  }

  private static String name(TaskLibrary library, String function) {
    return library.prefix() + "_" + function;
  }

  @Test
  void aLibraryHasTheNameOfItsFunctions() {
    assertThat(TaskLibrary.DMA.docaName()).isEqualTo("doca_dma");
    assertThat(TaskLibrary.COMPRESS.shortName()).isEqualTo("compress");
    assertThat(TaskLibrary.DMA.kinds()).isEqualTo(Set.of(TaskKind.DMA_MEMCPY));
    assertThat(TaskLibrary.of(TaskKind.DMA_MEMCPY)).isEqualTo(TaskLibrary.DMA);
    assertThatThrownBy(() -> TaskLibrary.of(TaskKind.COMCH_CLIENT_SEND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("COMCH_CLIENT_SEND");
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
