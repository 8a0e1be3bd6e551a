package io.dpuactors.benchmarks.soak;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.benchmarks.measure.Checkout;
import io.dpuactors.benchmarks.measure.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code dpu bench soak}. */
@Command(
    name = "soak",
    sortOptions = false,
    description = {
      "Stop, kill and lose contexts, devices and clients under load, and count the answers.",
      "",
      "Requests: tasks of each library, sessions of SHA, sync events, messages of comch, and RDMA"
          + " between this process and others. Each request needs one answer with the right data."
          + " The result of a request is unknown if its connection has ended.",
      ""
    })
public final class SoakCommand extends CliCommand {
  private static final int MAX_MINUTES = 24 * 60;

  /** Time limit for the end of the actors, and for the deletion of files, after a signal. */
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(20);

  @Option(names = "--minutes", paramLabel = "N", description = "How long. Default: 2.")
  private int minutes = 2;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random choices. Default: random.")
  private @Nullable Long seed;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result there as well.")
  private @Nullable Path json;

  @Mixin private CommonOptions common = new CommonOptions();

  /** picocli calls this constructor. */
  public SoakCommand() {}

  @Override
  public Integer call() throws Exception {
    common.apply();
    if (minutes < 1 || minutes > MAX_MINUTES) {
      throw wrongUse("--minutes %d is out of range: from 1 to %d".formatted(minutes, MAX_MINUTES));
    }
    long drawn = seed != null ? seed : new SplittableRandom().nextLong() >>> 1;
    line().getErr().println("seed " + drawn);
    Interruption interruption = Interruption.of(Thread.currentThread()::interrupt, SIGNAL_GRACE);
    try {
      return run(drawn).status();
    } finally {
      interruption.over();
    }
  }

  private ExitCode run(long drawn) throws IOException, Configuration.ConfigurationError {
    Path logs = Files.createTempDirectory("dpu-soak");
    try {
      SoakResult result =
          new Soak(Duration.ofMinutes(minutes), drawn, Checkout.dpu(), logs, line().getErr())
              .run(Configuration.load());
      result.print(line().getOut());
      if (json != null) {
        Files.writeString(json, result.json(drawn));
      }
      return result.isGood() ? ExitCode.OK : ExitCode.FAILURE;
    } catch (RunException | IllegalStateException e) {
      return fail(e.getMessage(), ExitCode.FAILURE);
    } catch (InterruptedException e) {
      return fail("interrupted", ExitCode.FAILURE);
    } finally {
      Files.deleteIfExists(logs.resolve("client.err"));
      Files.deleteIfExists(logs);
    }
  }
}
