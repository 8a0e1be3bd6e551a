package io.dpuactors.experiments;

import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.HelpOption;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command {@code dpu experiment}. */
@Command(
    name = "experiment",
    sortOptions = false,
    header = {"Run an experiment: actors against plain C, in turns.", ""},
    description = {
      "",
      "Builds the plain-C programs, generates the test data, starts and stops servers, runs the trials of both sides in turns, "
          + "and writes report, tables and plots. On the software DPU: figures compare programs, not hardware.",
      ""
    },
    exitCodeListHeading = "%nExit status (1 also when trials failed):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu experiment compression --trials 10   10 trials of each side, cold and warm",
      "  dpu experiment dma --warm                1000 trials in one process each",
      "  dpu experiment comch --resume            continues the last run",
      "  dpu experiment rdma --warm --trials 30   writes, reads and messages over sizes"
    })
public final class ExperimentCommand extends CliCommand implements Subcommand {
  private static final int DEFAULT_TRIALS = 1000;
  private static final int MAX_TRIALS = 100_000;

  @Parameters(
      paramLabel = "NAME",
      converter = Name.class,
      completionCandidates = Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Experiment experiment = Experiment.COMPRESSION;

  @Option(
      names = "--trials",
      paramLabel = "N",
      description =
          "Trials of each side, in each mode and row. Default: 1000; with --resume, as many as before.")
  private @Nullable Integer trials;

  @Option(names = "--warm", description = "Only with all trials in one process.")
  private boolean warm;

  @Option(names = "--cold", description = "Only with a fresh process for each trial.")
  private boolean cold;

  @Option(
      names = "--both",
      description = "Cold, then warm: the default; with --resume, the default is as before.")
  private boolean both;

  @Option(names = "--resume", description = "Continue the last run of this experiment.")
  private boolean resume;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      description = {
        "Folder for log, report, tables and plots.",
        "Default: a new one in experiments/NAME/results; with --resume the newest there."
      })
  private @Nullable Path out;

  @Option(
      names = "--trial-limit",
      paramLabel = "SECONDS",
      description = "A trial that takes longer has failed. Default: ${DEFAULT-VALUE}.",
      defaultValue = "120")
  private int trialLimit = 120;

  @Option(names = "--debug", description = "Show stack traces with errors.")
  private boolean debug;

  @Mixin HelpOption help = new HelpOption();

  /** Creates the command for the service loader. */
  public ExperimentCommand() {}

  @Override
  public Integer call() throws Exception {
    check();
    ExperimentRun.Request request =
        new ExperimentRun.Request(
            experiment,
            trials == null ? DEFAULT_TRIALS : trials,
            trials != null,
            modes(),
            warm || cold || both,
            resume,
            out,
            Duration.ofSeconds(trialLimit));
    try {
      return new ExperimentRun(request, line().getOut(), line().getErr()).run().status();
    } catch (RunException e) {
      if (debug) {
        e.printStackTrace(line().getErr());
      }
      return fail(e.getMessage(), ExitCode.FAILURE).status();
    } catch (ExperimentRun.WrongUse | RunFolder.Unusable e) {
      throw new ParameterException(line(), String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new IOException("experiment %s: %s".formatted(experiment.key(), ErrorText.of(e)), e);
    }
  }

  private void check() {
    Integer wanted = trials;
    if (wanted != null && (wanted < 1 || wanted > MAX_TRIALS)) {
      throw wrongUse("--trials %d is out of range: from 1 to %d".formatted(wanted, MAX_TRIALS));
    }
    if (trialLimit < 1) {
      throw wrongUse("--trial-limit " + trialLimit + ": at least 1 second");
    }
    long ways = Stream.of(warm, cold, both).filter(way -> way).count();
    if (ways > 1) {
      throw wrongUse("--warm, --cold and --both exclude each other");
    }
  }

  private List<Mode> modes() {
    return warm ? List.of(Mode.WARM) : cold ? List.of(Mode.COLD) : List.of(Mode.values());
  }

  private static List<String> names() {
    return Stream.of(Experiment.values()).map(Experiment::key).toList();
  }

  /** Names of the experiments on the command line. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }

  /** Converts an experiment's name on the command line. */
  static final class Name implements ITypeConverter<Experiment> {
    @Override
    public Experiment convert(String value) {
      return Stream.of(Experiment.values())
          .filter(experiment -> experiment.key().equals(value))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is no experiment: there are %s"
                          .formatted(value, String.join(", ", names()))));
    }
  }
}
