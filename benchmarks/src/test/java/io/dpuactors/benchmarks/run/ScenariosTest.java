package io.dpuactors.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.StreamRun.Form;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.result.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the list of scenarios, and their command lines. */
class ScenariosTest {
  @Test
  void namesAreUniqueAndFound() {
    assertThat(Scenarios.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    assertThat(Scenarios.find("null-task")).isPresent();
    assertThat(Scenarios.find("nothing")).isEmpty();
  }

  /** The usage of the plain C program names the kinds of the actors. */
  @Test
  void plainProgramHasEveryKind() throws IOException {
    String program = Files.readString(Path.of("c/tasks.c"));
    assertThat(Load.Kind.values())
        .extracting(Load.Kind::key)
        .allSatisfy(key -> assertThat(program).containsPattern("[ |]" + key + "[|\\]]"));
  }

  @Test
  void bothSidesGetTheSameGeometry() {
    Programs programs = new Programs(List.of("java", "Dpu"), Path.of("/plain"));
    LoadPoint point = LoadPoint.paired(new Load(Load.Kind.DMA, 16, 4096), 1000, false);
    String geometry = "--kind dma --window 16 --size 4096 --count 1000 --trials 3 --paced";
    assertThat(String.join(" ", point.plain(programs, 3)))
        .isEqualTo("/plain/tasks-c " + geometry + " --idle adaptive");
    assertThat(String.join(" ", point.actors(programs, 3)))
        .startsWith("java Dpu bench-tasks -Ddpu.library=softdpu " + geometry)
        .endsWith("-Ddpu.engine.idle=adaptive");
    LoadPoint stream = LoadPoint.streamed(new Load(Load.Kind.DMA, 16, 4096), 1000, Form.IN_PLACE);
    List<String> actors = stream.plain(programs, 3);
    assertThat(actors).isEqualTo(point.actors(programs, 3));
    assertThat(stream.actors(programs, 3)).contains("--stream", "in-place").containsAll(actors);
    LoadPoint kind = LoadPoint.besideCompress(Load.Kind.ERASURE_CODING, 64, 1000);
    assertThat(String.join(" ", kind.actors(programs, 3)))
        .contains("bench-tasks", "--kind erasure-coding --window 64 --size 256 --count 1000");
    assertThat(String.join(" ", kind.plain(programs, 3)))
        .contains("bench-tasks", "--kind compress --window 64 --size 64 --count 1000");
    LoadPoint library = LoadPoint.besideLibrary(new Load(Load.Kind.SHA, 16, 4096), 1000);
    assertThat(String.join(" ", library.plain(programs, 3)))
        .startsWith("/plain/bare-c --kind sha --window 16 --size 4096");
  }

  @Test
  void blocksAreMovedByProgramsWithOneCompiler() {
    Load blocks = new Load(Load.Kind.DMA, 4, 64 << 10);
    assertThat(LoadPoint.paired(blocks, 1000, false).isOfBlocks()).isTrue();
    assertThat(LoadPoint.besideLibrary(blocks, 1000).isOfBlocks()).isTrue();
    assertThat(LoadPoint.paired(blocks, 1000, true).isOfBlocks()).isFalse();
    assertThat(LoadPoint.paired(blocks, 1000, false).paced(10, 10).isOfBlocks()).isFalse();
    assertThat(LoadPoint.streamed(blocks, 1000, Form.HEAP).isOfBlocks()).isFalse();
    Load small = new Load(Load.Kind.DMA, 4, (64 << 10) - 1);
    assertThat(LoadPoint.paired(small, 1000, false).isOfBlocks()).isFalse();
  }

  /** The page of results names the target of the message rate as the report does. */
  @Test
  void thePageOfResultsHasTheTargetOfTheMessageRate() throws IOException {
    Path table = Path.of("src/main/resources/io/dpuactors/benchmarks/result/targets.txt");
    String bound = firstLine(table, "message rate: ").split(" *\\| *", -1)[1];
    assertThat(firstLine(Path.of("../docs/performance.md"), "| RDMA: message rate"))
        .contains("batches of 64")
        .contains("| " + bound + " |");
  }

  private static String firstLine(Path file, String begin) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(begin))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void bothSidesOfRdmaGetTheSameGeometry() {
    Programs programs = new Programs(List.of("java", "Dpu"), Path.of("/plain"));
    RdmaPoint point = new RdmaPoint("key", 64, 8, 4, 1000, Metric.NS, "busy", false);
    String geometry = "--size 64 --count 100 --trials 3 --paced";
    assertThat(String.join(" ", point.actors(programs, 100, 3)))
        .isEqualTo(
            "java Dpu client rdma --json -Ddpu.library=softdpu %s --parallel 8 --batch 4 -Ddpu.engine.idle=busy"
                .formatted(geometry));
    assertThat(String.join(" ", point.plain(programs, 100, 3)))
        .isEqualTo("/plain/rdma-c client --parallel 8 %s --idle busy".formatted(geometry));
    assertThat(point.execution()).isEqualTo("threads");
    RdmaPoint bare = new RdmaPoint("key", 64, 1, 1, 1000, Metric.NS, "busy", true);
    assertThat(bare.execution()).isEqualTo("inline");
    assertThat(String.join(" ", bare.plain(programs, 100, 3)))
        .isEqualTo("/plain/bare-c --kind process-vm %s --idle busy".formatted(geometry));
  }
}
