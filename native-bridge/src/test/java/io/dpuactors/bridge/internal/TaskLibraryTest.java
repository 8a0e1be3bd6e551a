package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.ApiTable;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLibrary.Capability;
import io.dpuactors.bridge.TaskLibrary.Example;
import io.dpuactors.bridge.TaskLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the rows of the libraries, and the capabilities that they return. */
class TaskLibraryTest {
  private static final TaskLimits LIMITS = new TaskLimits(true, 1, 1);

  /** DOCA reports no largest number of tasks for these libraries. */
  private static final Set<TaskLibrary> WITHOUT_LIMIT = Set.of(TaskLibrary.ERASURE_CODING);

  /** A text in a source that could be the name of a function, or a part of one. */
  private static final Pattern NAME = Pattern.compile("\"([a-z][a-z0-9_]*[a-z0-9])\"");

  private static final List<String> PREFIXES =
      List.of("", "doca_rdma_", "doca_rdma_set_", "doca_sync_event_");

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
    String maxTasks = name(library, "cap_get_max_num_tasks");
    if (WITHOUT_LIMIT.contains(library)) {
      assertThat(table).doesNotContainKey(maxTasks);
    } else {
      assertThat(table.get(maxTasks)).matches("struct \\w+ \\*\\w+, uint32_t \\*\\w+");
    }
    Example example = library.example();
    if (example != null) {
      assertThat(table)
          .containsKeys(named(library, example.function(), example.noun() + "_destroy"));
    }
    for (Capability each : library.capabilities()) {
      String first = "const struct doca_devinfo \\*devinfo";
      String variant = each.variants() == 0 ? "" : ", enum \\w+ \\w+";
      assertThat(table.get(name(library, each.supported()))).matches(first + variant);
      assertThat(table.get(name(library, each.maxBytes()))).matches(first + ", uint64_t \\*\\w+");
      assertThat(table.get(name(library, each.maxList()))).matches(first + ", uint32_t \\*\\w+");
      Stream.concat(Stream.ofNullable(each.partBytes()), Stream.ofNullable(each.minOutputBytes()))
          .forEach(
              function ->
                  assertThat(table.get(name(library, function)))
                      .matches(first + variant + ", uint32_t \\*\\w+"));
    }
  }

  /**
   * Each text in these classes that could be the name of a function is one of the table, or one of
   * the words below.
   */
  @ParameterizedTest
  @MethodSource("classesOfNames")
  void theTableOfTheApiHasTheFunctionsThatAClassNames(Class<?> type, Set<String> words)
      throws IOException {
    Set<String> table =
        ApiTable.read("functions.tsv").stream()
            .map(row -> row.get("name"))
            .collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    Matcher text = NAME.matcher(Files.readString(source(type)));
    while (text.find()) {
      String name = text.group(1);
      if (PREFIXES.stream().noneMatch(prefix -> table.contains(prefix + name))) {
        unknown.add(name);
      }
    }
    assertThat(unknown).isEqualTo(new TreeSet<>(words));
  }

  static Stream<Arguments> classesOfNames() {
    return Stream.of(
        Arguments.of(
            Rdma.class,
            Set.of(
                "connection",
                "disconnect",
                "doca_rdma",
                "dpubridge_connection_pointer",
                "dpubridge_rdma_adopt",
                "dpubridge_rdma_configure",
                "listen")),
        Arguments.of(RemoteEvents.class, Set.of("doca_rdma")),
        Arguments.of(SyncEvents.class, Set.of("publisher", "share", "subscriber")));
  }

  @Test
  void theTableOfTheApiHasTheFunctionsOfTheSidesOfAnEvent() {
    Map<String, String> table = parametersInTable("doca_common");
    for (SyncEvents.Location side : SyncEvents.Location.values()) {
      for (String role : List.of("publisher", "subscriber")) {
        if (side != SyncEvents.Location.REMOTE_NET || role.equals("publisher")) {
          String name = side.name().toLowerCase(Locale.ROOT);
          assertThat(table).containsKey("doca_sync_event_add_" + role + "_location_" + name);
        }
      }
    }
  }

  private static Path source(Class<?> type) {
    return Path.of(System.getProperty("basedir", "."))
        .resolve("src/main/java")
        .resolve(type.getName().replace('.', '/') + ".java");
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
