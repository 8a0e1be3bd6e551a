package io.dpuactors.apps.channel;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.apps.file.JsonReport;
import io.dpuactors.apps.file.RunReport;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.wire.CompressMessage;
import io.dpuactors.wire.CompressMessage.Hello;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dpu client compress}. */
@Command(
    name = "compress",
    sortOptions = false,
    header = {"Compress a file to gzip on the server's device.", ""},
    description = {
      "",
      "Streams the file to the server, whose device compresses it block by block, and writes the returned gzip members. "
          + "The output gets its name when it is complete and on disk. After a failure, no partial output remains.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client compress access.log   access.log.gz; needs 'dpu serve compress'",
      "  dpu client compress --verify -o /backup/a.gz access.log",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class ClientCompressCommand extends ClientProgram {
  @Parameters(paramLabel = "FILE", description = "The file to read.")
  private Path file = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Write to OUT. Default: FILE.gz.")
  private @Nullable Path output;

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Content of one block; the server may grant less. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Blocks in flight; the server may grant less. More blocks need more memory. Default: ${DEFAULT-VALUE}.")
  private int parallel = 4;

  @Option(
      names = "--verify",
      description = "Inflate and compare each block with this host's CPU before writing it.")
  private boolean verify;

  @Option(
      names = {"-f", "--force"},
      description = "Replace an existing output.")
  private boolean force;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  ClientCompressCommand() {
    super("compress", CompressMessage.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (parallel < 1) {
      return Optional.of("--parallel " + parallel + ": it must be at least 1");
    }
    if (FileJob.isStream(file)) {
      return Optional.of("FILE -: standard input is not supported, name a file");
    }
    if (output != null && output.toString().equals("-")) {
      return Optional.of("-o -: standard output is not supported, name a file");
    }
    return blockSize.bytes() > Integer.MAX_VALUE
        ? Optional.of("--block-size: it must be less than 2 GiB")
        : Optional.empty();
  }

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    boolean talks = !quiet && !options.json;
    ProgressDisplay bar =
        talks && Terminal.showsProgress()
            ? new ProgressDisplay(line().getErr(), Terminal::columns)
            : null;
    RunReport report = new RunReport(line(), talks, isDebugging(), bar);
    Path to = output == null ? file.resolveSibling(file.getFileName() + ".gz") : output;
    FileJob.Compress job = new FileJob.Compress(file, to, blockSize.bytes(), verify, force);
    job.obstacle().ifPresent(why -> report.onEvent(new FileEvent.Failed(job, why)));
    ExitCode code = report.exitCode();
    if (code == ExitCode.OK) {
      code = run(new RemoteRun(channel, job, report), devices, report);
    }
    printDocument(report, code, json -> {});
    return code;
  }

  private ExitCode run(RemoteRun run, ChannelDevices devices, RunReport report)
      throws ChannelException, IOException {
    Hello wishes = new Hello((int) blockSize.bytes(), parallel);
    try {
      return run.run(this, devices, wishes);
    } catch (ChannelException e) {
      printDocument(report, e.code(), json -> error(json, e));
      throw e;
    }
  }

  private static void error(JsonGenerator json, ChannelException e) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("message", String.valueOf(e.getMessage()));
    json.writeEndObject();
  }

  private void printDocument(RunReport report, ExitCode code, Json.Members more)
      throws IOException {
    if (options.json) {
      JsonReport.print(line().getOut(), "client compress", report, code, more);
    }
  }
}
