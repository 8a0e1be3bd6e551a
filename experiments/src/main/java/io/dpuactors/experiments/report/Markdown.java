package io.dpuactors.experiments.report;

import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Figures;
import io.dpuactors.benchmarks.report.Table;
import io.dpuactors.experiments.run.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report as Markdown. */
final class Markdown {
  private static final int SHOWN_FAILURES = 20;

  private final List<String> blocks = new ArrayList<>();
  private final Result result;
  private final Map<String, String> missingPlots;

  private Markdown(Result result, Map<String, String> missingPlots) {
    this.result = result;
    this.missingPlots = missingPlots;
  }

  /**
   * Returns the text.
   *
   * @param missingPlots names of plots that could not be drawn, with the causes
   */
  static String of(Result result, Map<String, String> missingPlots) {
    return new Markdown(result, missingPlots).write();
  }

  private String write() {
    add("# Experiment: %s, on the software DPU".formatted(result.experiment().key()));
    add(result.experiment().question());
    add(
        """
        Every figure comes from the **software DPU**: it compares the actors with a plain C program on the same machine, and does
        not describe hardware. Input: %s."""
            .formatted(result.experiment().input()));
    for (Mode mode : result.parts().stream().map(Result.Part::mode).distinct().toList()) {
      addMode(mode, result.parts().stream().filter(part -> part.mode() == mode).toList());
    }
    if (!result.warnings().isEmpty()) {
      add("## Warnings");
      add(result.warnings().stream().map(w -> "- " + w).collect(Collectors.joining("\n")));
    }
    addParameters();
    add("## Files");
    add(
        """
        | | |
        |---|---|
        | [`trials.jsonl`](trials.jsonl) | the log: every trial as it was measured |
        | [`trials.tsv`](trials.tsv) | the same as pairs |
        | [`summary.tsv`](summary.tsv), [`report.json`](report.json) | the tables above |
        | [`table.tex`](table.tex) | the rows of the published table, for LaTeX |""");
    return String.join("\n\n", blocks) + "\n";
  }

  private void add(String block) {
    blocks.add(block.stripTrailing());
  }

  private void addMode(Mode mode, List<Result.Part> parts) {
    String name = mode.key();
    add(
        "## %s%s: %s"
            .formatted(
                name.substring(0, 1).toUpperCase(Locale.ROOT), name.substring(1), mode.meaning()));
    Object[] spread = {"sd", "99 % CI"};
    Table means =
        new Table(
            "", "actors GiB/s", spread, "plain C GiB/s", spread, "loss %", spread, "outperformed");
    Table medians =
        new Table(
            "",
            "median actors",
            "median plain C",
            "median of the pairs' ratios",
            "target",
            "pairs",
            "failed actors",
            "failed plain C");
    for (Result.Part part : parts) {
      Comparison c = part.comparison();
      means.row(
          part.row().label(),
          Figures.rates(c.actors()),
          Figures.rates(c.plain()),
          Figures.percents(c.loss()),
          Figures.share(c.outperformed()));
      medians.row(
          part.row().label(),
          Figures.rate(c.actors().median()),
          Figures.rate(c.plain().median()),
          Figures.ratio(c.ratio().median()),
          verdict(result.experiment().target(mode), c),
          "%d of %d".formatted(c.pairs(), result.trials()),
          c.failedActors(),
          c.failedPlain());
    }
    add(means.markdown());
    add(medians.markdown());
    add(
        Stream.concat(
                SizePlot.of(result).stream()
                    .filter(plot -> plot.mode() == mode)
                    .map(plot -> plot("Data rates over sizes, " + plot.label(), plot.key())),
                parts.stream()
                    .filter(part -> part.row().transfer().isEmpty())
                    .flatMap(Markdown.this::plots))
            .collect(Collectors.joining("\n")));
    addFailures(parts);
  }

  private static String verdict(OptionalDouble target, Comparison c) {
    if (target.isEmpty()) {
      return "-";
    }
    double bound = target.getAsDouble();
    String verdict = c.ratio().median() >= bound ? "met" : "missed";
    return ">= %s: %s"
        .formatted(Figures.fixed(bound, 2), c.isEnough() ? verdict : "too few pairs for a verdict");
  }

  private Stream<String> plots(Result.Part part) {
    return Stream.of(
        plot("Data rates, " + part.label(), "rates-" + part.key()),
        plot("Loss, " + part.label(), "loss-" + part.key()));
  }

  private String plot(String alternative, String name) {
    String cause = missingPlots.get(name);
    return cause == null
        ? "![%s](plots/%s.svg)".formatted(alternative, name)
        : "%s: no plot, because it could not be drawn: %s".formatted(alternative, cause);
  }

  private void addFailures(List<Result.Part> parts) {
    List<String> lines = new ArrayList<>();
    for (Result.Part part : parts) {
      for (Trial.Failure failure : part.failures()) {
        lines.add(
            "- %s, trial %d, %s: %s"
                .formatted(
                    part.row().key(), failure.number(), failure.side().label(), failure.cause()));
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    add("Failed trials, which are in no mean and break their pair only:");
    int more = lines.size() - SHOWN_FAILURES;
    if (more > 0) {
      lines.subList(SHOWN_FAILURES, lines.size()).clear();
      lines.add("- and %d more, in the log".formatted(more));
    }
    add(String.join("\n", lines));
  }

  private void addParameters() {
    add("## How it was run");
    add(
        """
        Trials of the two sides took turns, one pair after the other. Mean, standard deviation (n-1) and half of the 99 % confidence
        interval (Student's t with n-1 degrees of freedom) of each column; loss = (1 - actors / plain C) * 100, pair by pair; outperformed: share of the
        pairs in which the actors were strictly faster.""");
    String loads =
        result.loads().stream()
            .map(load -> Figures.fixed(load, 2))
            .collect(Collectors.joining(", "));
    List<String> rows = new ArrayList<>(List.of("| | |", "|---|---|"));
    rows.add("| trials | %d per side, mode and row |".formatted(result.trials()));
    rows.add(
        "| load when begun, and each time when resumed | %s%s |"
            .formatted(
                loads,
                isBusy()
                    ? ": **other programs used the machine**, which widens every spread"
                    : ""));
    new TreeMap<>(result.parameters())
        .forEach((k, v) -> rows.add("| %s | %s |".formatted(k, v.replace("|", "\\|"))));
    add(String.join("\n", rows));
  }

  /** Returns whether all cores of the machine were busy before the first trial. */
  private boolean isBusy() {
    String cores = result.parameters().getOrDefault("cores", "");
    return cores.matches("\\d+")
        && result.loads().stream().anyMatch(load -> load >= Integer.parseInt(cores));
  }
}
