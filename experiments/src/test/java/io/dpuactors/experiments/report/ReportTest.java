package io.dpuactors.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.report.ChartFiles;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.TrialLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

class ReportTest {
  @TempDir Path folder;

  /** Creates three pairs of the first row, one of them broken, and none of the second. */
  private Result result() throws IOException {
    try (TrialLog log =
        TrialLog.create(
            folder.resolve("trials.jsonl"),
            Map.of("kernel", "Linux 6.1", "device", "software DPU 0.1.0"),
            1.5)) {
      add(log, Side.ACTORS, 1, 0.9);
      add(log, Side.PLAIN, 1, 1);
      add(log, Side.ACTORS, 2, 2.2);
      add(log, Side.PLAIN, 2, 2);
      log.add(slot(Side.ACTORS, 3), Sample.failed("the data is wrong"));
      add(log, Side.PLAIN, 3, 3);
      add(log, Side.ACTORS, 4, 7);
      return Result.of(Experiment.DMA, List.of(Mode.COLD), 4, log, List.of());
    }
  }

  private static TrialLog.Slot slot(Side side, int number) {
    return new TrialLog.Slot(Mode.COLD, "1-in-flight", side, number);
  }

  private static void add(TrialLog log, Side side, int number, double rate) throws IOException {
    log.add(slot(side, number), new Sample(rate, 1000.0, null, null, null));
  }

  @Test
  void markdownHasTablesAndParameters() throws IOException {
    assertThat(Markdown.of(result(), Map.of()))
        .contains("# Experiment: dma, on the software DPU")
        .contains(
            "| dma, 1 in flight | 1.5500 | 0.9192 | 41.3769 | 2.0000 | 1.0000 | 5.7301 | 0.00 | 14.14 | 636.57 | 50.0 % |")
        .contains("| 1.000 | >= 0.90: too few pairs for a verdict | 3 of 4 | 1 | 0 |")
        .contains("- 1-in-flight, trial 3, actors: the data is wrong")
        .contains("| dma, 4 in flight | - | - | - | - | - | - | - | - | - | - |")
        .contains("| kernel | Linux 6.1 |", "| trials | 4 per side", "when resumed | 1.50 |");
  }

  @Test
  void aBusyMachineIsNamed() throws IOException {
    try (TrialLog log = TrialLog.create(folder.resolve("busy.jsonl"), Map.of("cores", "2"), 2.5)) {
      Result result = Result.of(Experiment.DMA, List.of(Mode.COLD), 1, log, List.of());
      assertThat(Markdown.of(result, Map.of()))
          .contains("when resumed | 2.50: **other programs used the machine**");
    }
  }

  @Test
  void latexHasThePublishedColumns() throws IOException {
    assertThat(Tables.latex(result()).lines())
        .contains(
            "dma, 1 in flight, cold & 1.5500 & 0.9192 & 41.3769 & 2.0000 & 1.0000 & 5.7301 & 0.00 & 14.14 & 636.57 & 50.0 \\\\");
  }

  @Test
  void tablesAreTabSeparatedAndExact() throws IOException {
    Result result = result();
    List<String> trials = Tables.trials(result).lines().toList();
    assertThat(trials)
        .startsWith("mode\trow\ttrial\tactors_gibps\tplain_gibps\tloss_percent")
        .contains("cold\t1-in-flight\t3\tfailed\t3.0\t")
        .hasSize(4);
    assertThat(trials.get(1)).startsWith("cold\t1-in-flight\t1\t0.9\t1.0\t9.99999");
    List<String> summary = Tables.summary(result).lines().toList();
    int columns = summary.get(0).split("\t", -1).length;
    assertThat(summary).allMatch(line -> line.split("\t", -1).length == columns).hasSize(3);
  }

  @Test
  void jsonHasStatisticsAndTrials() throws IOException {
    JsonNode json = new ObjectMapper().readTree(ReportFolder.json(result()));
    assertThat(json.at("/device").asText()).isEqualTo("software DPU");
    assertThat(json.at("/good").asBoolean()).isFalse();
    assertThat(json.at("/load_when_begun/0").asDouble()).isEqualTo(1.5);
    assertThat(json.at("/results/0/loss_percent/mean").asDouble()).isCloseTo(0, within(1e-9));
    assertThat(json.at("/results/0/failed_actors").asInt()).isEqualTo(1);
    assertThat(json.at("/results/0/trials/2/actors_gibps").isNull()).isTrue();
    assertThat(json.at("/results/0/failures/0/failure").asText()).isEqualTo("the data is wrong");
    assertThat(json.at("/results/1/actors_gibps/mean").isNull()).isTrue();
    assertThat(json.at("/parameters/kernel").asText()).isEqualTo("Linux 6.1");
  }

  @Test
  void everythingIsWrittenPlotsIncluded() throws IOException {
    Path report = ReportFolder.write(result(), folder);
    assertThat(report).content().startsWith("# Experiment: dma");
    for (String plot : List.of("rates", "loss")) {
      for (String row : List.of("1-in-flight", "4-in-flight")) {
        Path name = folder.resolve("plots/%s-cold-%s".formatted(plot, row));
        assertThat(Files.readAllBytes(Path.of(name + ".png")))
            .startsWith(0x89, 'P', 'N', 'G')
            .hasSizeGreaterThan(1000);
        assertThat(Path.of(name + ".svg")).content().contains("<svg").contains("</svg>");
      }
    }
    String text = Files.readString(report);
    for (String link : List.of("plots/rates-cold-1-in-flight.svg", "table.tex", "summary.tsv")) {
      assertThat(text).contains("(" + link + ")");
      assertThat(folder.resolve(link)).isNotEmptyFile();
    }
  }

  /** SVG contains only outlines of the text, so the test checks the charts themselves. */
  @Test
  void eachPlotShowsTheNumberOfItsTrials() throws IOException {
    List<String> titles = new ArrayList<>();
    ReportFolder.plot(
        result(),
        ChartFiles.in(
            folder.resolve("plots"), (chart, out, format) -> titles.add(chart.getTitle())));
    assertThat(Set.copyOf(titles))
        .containsExactlyInAnyOrder(
            "dma, 1 in flight, cold (software DPU), 3 pairs",
            "dma, 4 in flight, cold (software DPU), 0 pairs");
    assertThat(titles).hasSize(8);
  }

  /** The first two sizes have a pair, at 1 and 16 in flight. */
  @Test
  void anExperimentOverSizesHasAPlotForEachOperation() throws IOException {
    List<XYChart> charts = new ArrayList<>();
    Result result;
    try (TrialLog log = TrialLog.create(folder.resolve("rdma.jsonl"), Map.of(), 0)) {
      for (String row : List.of("write-64-p1", "write-512-p1", "write-64-p16", "write-512-p16")) {
        for (Side side : Side.values()) {
          log.add(
              new TrialLog.Slot(Mode.WARM, row, side, 1),
              new Sample(side == Side.ACTORS ? 0.5 : 1.0, 1000.0, null, null, null));
        }
      }
      result = Result.of(Experiment.RDMA, List.of(Mode.WARM), 1, log, List.of());
    }
    ChartFiles plots =
        ChartFiles.in(
            folder.resolve("plots"),
            (chart, out, format) -> {
              if (format.equals("svg")) {
                charts.add((XYChart) chart);
              }
            });
    ReportFolder.plot(result, plots);
    assertThat(charts)
        .extracting(XYChart::getTitle)
        .containsExactly(
            "write, warm (software DPU), at least 0 pairs",
            "read, warm (software DPU), at least 0 pairs",
            "send, warm (software DPU), at least 0 pairs");
    assertThat(charts.get(0).getSeriesCollection())
        .extracting(XYSeries::getName)
        .containsExactly(
            "actors, 1 in flight",
            "actors, 16 in flight",
            "plain C, 1 in flight",
            "plain C, 16 in flight");
    XYSeries actors = charts.get(0).getSeries("actors, 16 in flight");
    assertThat(actors.getXData()).containsExactly(64, 512);
    assertThat(actors.getYData()).containsExactly(0.5, 0.5);
    assertThat(Markdown.of(result, Map.of()))
        .contains("![Data rates over sizes, write, warm](plots/sizes-warm-write.svg)")
        .contains("| write, 64 B, 1 in flight | 0.5000 | 1.0000 | 0.500 | - | 1 of 1 |")
        .doesNotContain("plots/rates-");
    JsonNode json = new ObjectMapper().readTree(ReportFolder.json(result));
    assertThat(json.at("/results/8/operation").asText()).isEqualTo("write");
    assertThat(json.at("/results/8/bytes").asInt()).isEqualTo(512);
    assertThat(json.at("/results/8/target_ratio").isMissingNode()).isTrue();
  }

  /** The message of a JDK whose libraries for text are missing. */
  @Test
  void aPlotThatCannotBeDrawnCostsThePlotOnly() throws IOException {
    ChartFiles broken =
        ChartFiles.in(
            folder.resolve("plots"),
            (chart, out, format) -> {
              throw new UnsatisfiedLinkError("libharfbuzz.so.0: cannot open shared object file");
            });
    Path report = ReportFolder.write(result(), folder, broken);
    assertThat(report)
        .content()
        .contains("# Experiment: dma")
        .contains("Loss, dma, 1 in flight, cold: no plot, because it could not be drawn: ")
        .contains("libharfbuzz.so.0")
        .doesNotContain(".svg)");
    assertThat(folder.resolve("plots")).doesNotExist();
    assertThat(folder.resolve("report.json")).isNotEmptyFile();
  }

  @Test
  void theScreenShowsTheShortestTable() throws IOException {
    StringWriter out = new StringWriter();
    Tables.print(new PrintWriter(out, true), result());
    assertThat(out.toString()).contains("software DPU", "dma, 1 in flight", "1.5500", "1/0");
  }
}
