package io.dpuactors.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.result.PointResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the shares of a connection in memory and descriptors. */
class RdmaTurnRunTest {
  private static JsonNode line(int connections, int heap, int resident, int descriptors) {
    return new ObjectMapper()
        .createObjectNode()
        .put("connections", connections)
        .put("heap_kib", heap)
        .put("rss_kib", resident)
        .put("descriptors", descriptors);
  }

  @Test
  void aConnectionHasItsShareOfTheDifference() throws Exception {
    List<PointResult> points =
        RdmaTurnRun.connection("client", line(1, 100, 1000, 50), line(201, 700, 2400, 250));
    assertThat(points)
        .extracting(PointResult::key)
        .containsExactly("memory-client", "descriptors-client");
    assertThat(points)
        .extracting(point -> point.comparison().actors().median())
        .containsExactly(10.0, 1.0);
    assertThat(points.get(0).parameters()).containsEntry("connections", "200");
  }

  @Test
  void aRunWithoutConnectionsHasNoShare() {
    JsonNode one = line(1, 100, 1000, 50);
    assertThatThrownBy(() -> RdmaTurnRun.connection("client", one, one))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("no more than one connection");
  }

  /** The JVM does not start if an earlier option sets more memory than a later one permits. */
  @Test
  void theHeapOfTheRunReplacesThatOfTheLauncher() {
    assertThat(RdmaTurnRun.withFixedHeap(List.of("java", "-Xmx256m", "-cp", "jars", "Main")))
        .containsExactly(
            "java",
            "-Xmx256m",
            "-Xms512m",
            "-Xmx512m",
            "-XX:+AlwaysPreTouch",
            "-cp",
            "jars",
            "Main");
  }
}
