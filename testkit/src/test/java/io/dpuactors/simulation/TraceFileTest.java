package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.TraceStep.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Tests the files with the steps of a run. */
class TraceFileTest {
  private static final TraceStep MESSAGE =
      new TraceStep(7, 2_000_001_500, Kind.MESSAGE, "/user/run/b", "/user/run/a", "Copy[<x>]");

  @TempDir Path folder;

  @Test
  void aLineHasTheStepItsTimeAndBothActors() throws IOException {
    List<TraceStep> steps =
        List.of(
            MESSAGE,
            new TraceStep(8, 1, Kind.DEVICE, "dpu-one", "", "tasks 1 (+1)"),
            new TraceStep(9, 2, Kind.CALLS, "dpu-one", "", "doca_ctx_start(dma#4)"),
            new TraceStep(9, 2, Kind.NOTE, "", "", "done"));
    assertThat(Files.readAllLines(write("trace.txt", steps)))
        .containsExactly(
            "     7    2.000001500 /user/run/b <- Copy[<x>]  from /user/run/a",
            "     8    0.000000001 dpu-one: tasks 1 (+1)",
            "     9    0.000000002 dpu-one calls doca_ctx_start(dma#4)",
            "     9    0.000000002 note: done");
  }

  @Test
  void aDiagramHasAColumnPerActorAndAnArrowPerMessage() throws Exception {
    Document svg = diagram(List.of(MESSAGE, MESSAGE));
    assertThat(texts(svg)).contains("a", "b", "2000001.500 µs", "Copy");
    assertThat(arrows(svg)).isEqualTo(2);
  }

  @Test
  void aDiagramLeavesOutPekkoAndLimitsItsSteps() throws Exception {
    List<TraceStep> many =
        Stream.generate(() -> MESSAGE).limit(SequenceDiagram.MAX_STEPS + 3L).toList();
    Document svg = diagram(many);
    assertThat(arrows(svg)).isEqualTo(SequenceDiagram.MAX_STEPS);
    assertThat(texts(svg)).contains("3 more steps");
    Document pekko =
        diagram(List.of(new TraceStep(1, 1, Kind.MESSAGE, "/system/x", "/user/run/a", "Y")));
    assertThat(texts(pekko)).isEmpty();
  }

  @Test
  void aDiagramOfARunHasItsMessagesNotesNativeObjectsAndCalls() throws Exception {
    Path file = folder.resolve("run.svg");
    try (TraceFile trace = TraceFile.create(file)) {
      Campaign.replay("dma", 7, new Reduction(2, Set.of(1, 2, 3)), trace);
    }
    List<String> texts = texts(parse(file));
    assertThat(texts).contains("one/tasks0", "Copy", "OpenBuffers");
    assertThat(texts).anyMatch(text -> text.endsWith("completed"));
    assertThat(texts).anyMatch(text -> text.startsWith("buffers "));
    assertThat(texts).anyMatch(text -> text.contains("doca_task_submit"));
  }

  private Document diagram(List<TraceStep> steps) throws Exception {
    return parse(write("trace.svg", steps));
  }

  private Path write(String name, List<TraceStep> steps) throws IOException {
    Path file = folder.resolve(name);
    try (TraceFile trace = TraceFile.create(file)) {
      steps.forEach(trace);
    }
    return file;
  }

  private static Document parse(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  private static List<String> texts(Document svg) {
    NodeList texts = svg.getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(i -> texts.item(i).getTextContent())
        .toList();
  }

  private static long arrows(Document svg) {
    NodeList lines = svg.getElementsByTagName("line");
    return IntStream.range(0, lines.getLength())
        .filter(i -> lines.item(i).getAttributes().getNamedItem("marker-end") != null)
        .count();
  }
}
