package io.dpuactors.experiments.program;

import com.typesafe.config.Config;
import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.channel.TrialOptions;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.LoopRun;
import io.dpuactors.benchmarks.load.Outcome;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.experiments.data.BlockHeader;
import io.dpuactors.experiments.data.Checksum;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "Loads every block of FILE into registered memory, then deflates all of them, once per trial. "
          + "Only the deflating is timed. Prints one line of JSON per trial.",
      ""
    })
public final class CompressBlocksCommand extends CliCommand implements Subcommand {
  private static final int MAX_PARALLEL = 1024;
  private static final double GIB = 1L << 30;

  /** All blocks of a batch have one deadline. */
  private static final int BATCH_BLOCKS = 32;

  /** Number of batches in flight: gives the device work before the actor runs again. */
  private static final int AHEAD = 2;

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
    common.start();
    refuse(
        parallel < 1 || parallel > MAX_PARALLEL
            ? Optional.of("--parallel is from 1 to " + MAX_PARALLEL)
            : trials.problem());
    Config config = Configuration.load();
    try (FileChannel in = FileChannel.open(file)) {
      BlockHeader header = BlockHeader.read(in);
      if (in.size() != header.fileBytes()) {
        throw new IOException(
            "%d bytes, but its header says %d".formatted(in.size(), header.fileBytes()));
      }
      return run(config, in, header).status();
    } catch (FileSystemException e) {
      return fail(ErrorText.of(e), ExitCode.INPUT).status();
    } catch (IOException | IllegalArgumentException e) {
      return fail(file + ": " + ErrorText.of(e), ExitCode.INPUT).status();
    }
  }

  private ExitCode run(Config config, FileChannel in, BlockHeader header) throws IOException {
    ExitCode onFailure = ExitCode.DEVICE;
    try (LoadSystem system = LoadSystem.start(config, 1)) {
      Load load = new Load(Load.Kind.COMPRESS, parallel, header.blockBytes());
      LoopRun loop = system.loop(0, load, header.blocks(), BATCH_BLOCKS, AHEAD, in);
      String library = system.library();
      onFailure = ExitCode.FAILURE;
      for (int trial = 0; trials.begins(trial); trial++) {
        Outcome.Done done = loop.run(header.blocks()).orThrow();
        line().getOut().println(text(trial + 1, header, done, loop.batches(), library));
      }
      return ExitCode.OK;
    } catch (IllegalStateException e) {
      return fail(String.valueOf(e.getMessage()), onFailure);
    }
  }

  private static String text(
      int trial, BlockHeader header, Outcome.Done done, List<TaskBatch> batches, String library) {
    double seconds = Math.max(1, done.elapsedNs()) / 1e9;
    Checksum checksum = new Checksum();
    long bytesOut = 0;
    for (TaskBatch batch : batches) {
      for (int block = 0; block < batch.size(); block++) {
        checksum.add(batch.results().crc32(block));
        bytesOut += batch.results().produced(block);
      }
    }
    return String.format(
        Locale.ROOT,
        "{\"trial\":%d,\"elapsed_us\":%.3f,\"data_rate_gibps\":%.6f,\"bytes_out\":%d,\"checksum\":\"%s\",\"device\":\"%s\"}",
        trial,
        seconds * 1e6,
        header.contentBytes() / GIB / seconds,
        bytesOut,
        checksum,
        library);
  }
}
