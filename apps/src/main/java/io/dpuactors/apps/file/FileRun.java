package io.dpuactors.apps.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.BatchSettings;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.PartialFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs a command that processes files, from options to exit status. */
public class FileRun {
  private final CommandLine line;
  private final String command;
  private final String window;
  private final RunOptions options;
  private final DeviceOptions devices;
  private final CommonOptions common;

  /**
   * Creates the run of a command.
   *
   * @param window configuration key of the number of blocks in flight
   */
  public FileRun(
      CommandLine line,
      String command,
      String window,
      RunOptions options,
      DeviceOptions devices,
      CommonOptions common) {
    this.line = line;
    this.command = command;
    this.window = window;
    this.options = options;
    this.devices = devices;
    this.common = common;
  }

  /**
   * Loads the libraries while this thread starts the actor system. The batch then finds them, or
   * repeats the attempt and reports its failure.
   */
  public static void loadLibraries(Config config) {
    Thread loader =
        new Thread(
            () -> {
              try {
                DocaLibrary.load(LibraryChoice.parse(config.getString("dpu.library")));
              } catch (RuntimeException | LinkageError e) {
                LoggerFactory.getLogger(FileRun.class).debug("the libraries do not load", e);
              }
            },
            "dpu-libraries");
    loader.setDaemon(true);
    loader.start();
  }

  /** Processes the files, and prints the results. Returns the exit status. */
  public int run(List<Path> files, Function<Path, FileJob> jobOf) throws Exception {
    common.start();
    Optional<String> problem = options.problem().or(devices::problem);
    if (problem.isPresent()) {
      throw new ParameterException(line, problem.get());
    }
    List<FileJob> jobs = files.stream().map(jobOf).toList();
    Config config = config();
    loadLibraries(config);
    int parallel =
        options.parallel == null ? Configuration.window(config, window) : options.parallel;
    BatchSettings settings =
        new BatchSettings(
            devices.device(),
            devices.engines(),
            parallel,
            BatchSettings.DEFAULT_MEMORY_BYTES,
            jobs);
    boolean talks = !options.quiet && !options.json;
    ProgressDisplay bar =
        talks && Terminal.showsProgress() && options.mayDraw()
            ? new ProgressDisplay(line.getErr(), Terminal::columns, this::progress)
            : null;
    RunReport report = new RunReport(line, talks, common.debug, bar);
    BatchRunner.run(
        (partials, listener) -> batch(settings, partials, listener),
        partials(),
        config,
        report::onEvent);
    ExitCode code = report.exitCode();
    if (options.json) {
      JsonReport.print(line.getOut(), command, report, code, this::addJson);
    } else if (talks) {
      printMore(line);
    }
    return code.status();
  }

  /** Returns the configuration of the actor system. */
  protected Config config() throws Configuration.ConfigurationError {
    return Configuration.load();
  }

  /** Returns the set of the partial outputs. */
  protected PartialFiles partials() {
    return PartialFiles.create();
  }

  /** Returns the behavior of the batch. */
  protected Behavior<FileBatch.Command> batch(
      BatchSettings settings, PartialFiles partials, ActorRef<BatchEvent> listener) {
    return FileBatch.create(settings, partials, listener);
  }

  /** Returns a text behind the progress of a file. Thread: any. */
  protected String progress() {
    return "";
  }

  /** Prints further results after those of the files. */
  protected void printMore(CommandLine to) {}

  /** Writes further members of the JSON document. */
  protected void addJson(JsonGenerator json) throws IOException {}
}
