package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.wire.RdmaOffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Options for the tasks of each connection of {@code dpu client rdma}. */
final class RdmaLoadOptions {
  private static final int LARGEST_OF_ALL = 8 << 20;

  /** The server may have handled almost {@code HANDLED} messages that it has not reported. */
  private static final int LARGEST_BATCH_OF_SENDS = RdmaOffer.UNHANDLED - RdmaOffer.HANDLED;

  @Option(
      names = "--operation",
      paramLabel = "NAME",
      defaultValue = "write",
      description = "write, read, send or atomic (adds to a number). Default: ${DEFAULT-VALUE}.")
  String operationName = "write";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "64K",
      converter = Size.Converter.class,
      description = "Size of a task; 8 bytes for atomic. Default: ${DEFAULT-VALUE}.")
  private Size size = new Size(64 << 10);

  @Option(
      names = "--all",
      description = "Measure the sizes 2, 4, 8 ... 8 MiB, as far as the server allows.")
  private boolean all;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Tasks of each connection. Default: ${DEFAULT-VALUE}.")
  private long count = 1000;

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      defaultValue = "16",
      description =
          "Tasks in flight on each connection; 1 with --latency. Default: ${DEFAULT-VALUE}.")
  private int parallel = 16;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Tasks of one request, not for atomic; at most "
              + LARGEST_BATCH_OF_SENDS
              + " for send. Default: ${DEFAULT-VALUE}.")
  int batch = 1;

  @Option(names = "--latency", description = "Print times instead of rates.")
  boolean latency;

  @Option(names = "--verify", description = "Check the content, after the measurement.")
  boolean verify;

  /** Returns the operation. Call {@link #problem} first. */
  Operation operation() {
    return find().orElseThrow();
  }

  private Optional<Operation> find() {
    return Arrays.stream(Operation.values())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(operationName))
        .findFirst();
  }

  /** Returns what is wrong with the options; empty if nothing is. */
  Optional<String> problem() {
    if (find().isEmpty()) {
      return Optional.of(
          "--operation %s: it must be one of write, read, send, atomic".formatted(operationName));
    }
    if (count < 1 || parallel < 1 || batch < 1) {
      return Optional.of("--count, --parallel, --batch: they must be at least 1");
    }
    if (largest() > Integer.MAX_VALUE / inFlight()) {
      return Optional.of(
          "--parallel, --size, --all: all buffers together must have less than 2 GiB");
    }
    return batch == 1 ? Optional.empty() : problemOfBatches();
  }

  private Optional<String> problemOfBatches() {
    if (latency || operation() == Operation.ATOMIC) {
      return Optional.of("--batch: not with --latency or --operation atomic");
    }
    if (count % batch != 0 || parallel % batch != 0) {
      return Optional.of(
          "--batch %d: --count and --parallel must be multiples of it".formatted(batch));
    }
    if (operation() == Operation.SEND && batch > LARGEST_BATCH_OF_SENDS) {
      return Optional.of(
          "--batch %d: at most %d for --operation send".formatted(batch, LARGEST_BATCH_OF_SENDS));
    }
    return Optional.empty();
  }

  /** Returns the size of the largest task. Atomic tasks and --all have sizes without --size. */
  long largest() {
    if (operation() == Operation.ATOMIC) {
      return Long.BYTES;
    }
    return all ? LARGEST_OF_ALL : size.bytes();
  }

  /** Returns the number of tasks in flight on each connection. */
  int inFlight() {
    return latency ? 1 : parallel;
  }

  /**
   * Returns the tasks of each row.
   *
   * @param allowed size of the largest task that the server allows
   * @throws ChannelException if the server does not allow the size
   */
  List<Load> loads(long allowed) throws ChannelException {
    if (all && operation() != Operation.ATOMIC) {
      int last = (int) Math.min(allowed, LARGEST_OF_ALL);
      return IntStream.iterate(2, each -> each <= last, each -> each * 2)
          .mapToObj(this::load)
          .toList();
    }
    if (largest() > allowed) {
      throw new ChannelException(
          ExitCode.DEVICE,
          "--size %s: the server allows %s for %s"
              .formatted(Size.text(largest()), Size.text(allowed), operationName));
    }
    return List.of(load((int) largest()));
  }

  private Load load(int bytes) {
    return new Load(operation(), bytes, count, verify);
  }
}
