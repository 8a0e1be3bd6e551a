package io.dpuactors.experiments.report;

import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Trial;
import io.dpuactors.experiments.statistics.Comparison;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The report as Markdown. */
final class Markdown {
  private static final int SHOWN_FAILURES = 20;

  private final StringBuilder text = new StringBuilder();
  private final Result result;
  private final Map<String, String> missingPlots;

  private Markdown(Result result, Map<String, String> missingPlots) {
    this.result = result;
    this.missingPlots = missingPlots;
  }

  /**
   * Writes the text.
   *
   * @param missingPlots names of plots that could not be drawn, with the causes
   */
  static String of(Result result, Map<String, String> missingPlots) {
    return new Markdown(result, missingPlots).write();
  }

  private String write() {
    String name = result.experiment().key();
    line("# Experiment: %s, on the software DPU".formatted(name));
    line("");
    line(result.experiment().question());
    line("");
    line(
        "Every figure comes from the **software DPU**: it compares the actors with a plain C program on the same machine, and says");
    line("nothing about hardware. Input: %s.".formatted(result.experiment().input()));
    for (Mode mode : result.modes()) {
      mode(mode, result.of(mode));
    }
    warnings();
    parameters();
    line("## Files");
    line("");
    line("| | |");
    line("|---|---|");
    line("| [`trials.jsonl`](trials.jsonl) | the log: every trial as it was measured |");
    line("| [`trials.tsv`](trials.tsv) | the same as pairs |");
    line("| [`summary.tsv`](summary.tsv), [`report.json`](report.json) | the tables above |");
    line("| [`table.tex`](table.tex) | the rows of the published table, for LaTeX |");
    return text.toString();
  }

  private void mode(Mode mode, List<Result.Part> parts) {
    String name = mode.key();
    line("");
    line(
        "## %s: %s"
            .formatted(
                name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), mode.meaning()));
    line("");
    line(
        "| | actors GiB/s | sd | 99 % CI | plain C GiB/s | sd | 99 % CI | loss % | sd | 99 % CI | outperformed |");
    line("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (Result.Part part : parts) {
      Comparison c = part.comparison();
      line(
          "| %s | %s | %s | %s | %s |"
              .formatted(
                  part.row().label(),
                  columns(Figures.rates(c.actors())),
                  columns(Figures.rates(c.plain())),
                  columns(Figures.percents(c.loss())),
                  Figures.share(c.outperformed())));
    }
    line("");
    line(
        "| | median actors | median plain C | median of the pairs' ratios | target | pairs | failed actors | failed plain C |");
    line("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (Result.Part part : parts) {
      medians(mode, part);
    }
    line("");
    for (Result.Part part : parts) {
      String about = part.row().label() + ", " + name;
      plot("Data rates, " + about, Plots.rates(part));
      plot("Loss, " + about, Plots.loss(part));
    }
    failures(parts);
  }

  private void plot(String alternative, String plot) {
    String cause = missingPlots.get(plot);
    line(
        cause == null
            ? "![%s](plots/%s.svg)".formatted(alternative, plot)
            : "%s: no plot, because it could not be drawn: %s".formatted(alternative, cause));
  }

  private void medians(Mode mode, Result.Part part) {
    Comparison c = part.comparison();
    double ratio = c.ratio().median();
    String verdict =
        c.ratio().count() < Comparison.MIN_PAIRS
            ? "too few pairs to tell"
            : ratio >= mode.target() ? "met" : "missed";
    line(
        "| %s | %s | %s | %s | >= %s: %s | %d of %d | %d | %d |"
            .formatted(
                part.row().label(),
                Figures.rate(c.actors().median()),
                Figures.rate(c.plain().median()),
                Figures.ratio(ratio),
                Figures.fixed(mode.target(), 2),
                verdict,
                c.pairs(),
                result.trials(),
                c.failedActors(),
                c.failedPlain()));
  }

  private void failures(List<Result.Part> parts) {
    List<Trial> failures = parts.stream().flatMap(p -> p.failures().stream()).toList();
    if (failures.isEmpty()) {
      return;
    }
    line("");
    line("Failed trials, which are in no mean and break their pair only:");
    line("");
    for (Trial trial : failures.subList(0, Math.min(SHOWN_FAILURES, failures.size()))) {
      line(
          "- %s, trial %d, %s: %s"
              .formatted(
                  trial.slot().row(),
                  trial.slot().number(),
                  trial.slot().side().label(),
                  trial.failure().orElse("")));
    }
    if (failures.size() > SHOWN_FAILURES) {
      line("- and %d more, in the log".formatted(failures.size() - SHOWN_FAILURES));
    }
  }

  private void warnings() {
    if (!result.warnings().isEmpty()) {
      line("");
      line("## Warnings");
      line("");
      result.warnings().forEach(warning -> line("- %s".formatted(warning)));
    }
  }

  private void parameters() {
    line("");
    line("## How it was run");
    line("");
    line(
        "Trials of the two sides took turns, one pair after the other. Mean, standard deviation (n-1) and half of the 99 % confidence");
    line(
        "interval (Student's t with n-1 degrees of freedom) of each column; loss = (1 - actors / plain C) * 100, pair by pair; outperformed: share of the");
    line("pairs in which the actors were strictly faster.");
    line("");
    line("| | |");
    line("|---|---|");
    line("| trials | %d per side, mode and row |".formatted(result.trials()));
    line(
        "| load when begun, and each time when resumed | %s%s |"
            .formatted(
                result.loads().stream()
                    .map(load -> Figures.fixed(load, 2))
                    .collect(Collectors.joining(", ")),
                isBusy() ? ": **others were at work**, which widens every spread" : ""));
    new TreeMap<>(result.parameters())
        .forEach((k, v) -> line("| %s | %s |".formatted(k, v.replace("|", "\\|"))));
    line("");
  }

  /** Returns whether all cores of the machine were busy before the first trial. */
  private boolean isBusy() {
    String cores = result.parameters().getOrDefault("cores", "");
    return cores.matches("\\d+")
        && result.loads().stream().anyMatch(load -> load >= Integer.parseInt(cores));
  }

  private static String columns(String... values) {
    return String.join(" | ", values);
  }

  private void line(String what) {
    text.append(what).append('\n');
  }
}
