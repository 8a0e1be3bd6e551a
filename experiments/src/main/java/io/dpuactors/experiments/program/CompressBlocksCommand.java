package io.dpuactors.experiments.program;

import com.typesafe.config.Config;
import io.dpuactors.apps.CommonOptions;
import io.dpuactors.apps.Configuration;
import io.dpuactors.apps.ExitCode;
import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.TrialOptions;
import io.dpuactors.experiments.data.BlockHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code dpu compress-blocks}: the actors' counterpart of {@code compress-blocks-c}.
 */
@Command(
    name = "compress-blocks",
    hidden = true,
    sortOptions = false,
    header = {"Deflate blocks in memory: the actors' side of the compression experiment.", ""},
    description = {
      "",
      "Loads every block of FILE into registered memory, then deflates all of them, as often as wanted. "
          + "Only the deflating is timed. Prints one line of JSON per trial.",
      ""
    })
public final class CompressBlocksCommand implements Subcommand {
  private static final int MAX_PARALLEL = 1024;
  private static final double GIB = 1L << 30;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "Number of blocks, bytes per block (both 32 bits, little-endian), the blocks.")
  private Path file = Path.of("");

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      description = "Blocks in flight. Default: 4.")
  private int parallel = 4;

  @Mixin private TrialOptions trials = new TrialOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  /** Creates the command for the service loader. */
  public CompressBlocksCommand() {}

  @Override
  public Integer call() throws Exception {
    common.apply();
    CommandLine line = Objects.requireNonNull(spec, "picocli sets it").commandLine();
    Optional<String> problem =
        parallel < 1 || parallel > MAX_PARALLEL
            ? Optional.of("--parallel is from 1 to " + MAX_PARALLEL)
            : trials.problem();
    if (problem.isPresent()) {
      throw new ParameterException(line, problem.get());
    }
    LoggerFactory.getILoggerFactory();
    Config config = Configuration.load();
    try (FileChannel in = FileChannel.open(file)) {
      BlockHeader header = BlockHeader.read(in);
      if (in.size() != header.fileBytes()) {
        throw new IOException(
            "%d bytes, but its header says %d".formatted(in.size(), header.fileBytes()));
      }
      return run(line, BlockEngine.open(config, in, header, parallel), header).status();
    } catch (IOException | IllegalArgumentException e) {
      return complain(line, file + ": " + e.getMessage(), ExitCode.INPUT).status();
    } catch (BlockEngine.Unavailable e) {
      return complain(line, String.valueOf(e.getMessage()), ExitCode.DEVICE).status();
    }
  }

  private ExitCode run(CommandLine line, BlockEngine engine, BlockHeader header)
      throws IOException {
    String library = engine.library();
    for (int trial = 0; trials.begins(trial); trial++) {
      BlockTrial.Outcome outcome = engine.run();
      if (outcome instanceof BlockTrial.Broken broken) {
        engine.abandon();
        return complain(line, broken.why(), ExitCode.FAILURE);
      }
      print(line.getOut(), trial + 1, header, (BlockTrial.Done) outcome, library);
    }
    var stopped = engine.stop();
    return stopped.clean()
        ? ExitCode.OK
        : complain(line, "left open: " + stopped.census(), ExitCode.FAILURE);
  }

  private static void print(
      PrintWriter out, int trial, BlockHeader header, BlockTrial.Done done, String library) {
    double seconds = Math.max(1, done.elapsedNs()) / 1e9;
    out.println(
        String.format(
            Locale.ROOT,
            "{\"trial\":%d,\"elapsed_us\":%.3f,\"data_rate_gibps\":%.6f,\"bytes_out\":%d,\"checksum\":\"%s\",\"device\":\"%s\"}",
            trial,
            seconds * 1e6,
            header.contentBytes() / GIB / seconds,
            done.bytesOut(),
            done.checksum(),
            library));
  }

  private static ExitCode complain(CommandLine line, String what, ExitCode code) {
    line.getErr().println("dpu: " + what);
    return code;
  }
}
