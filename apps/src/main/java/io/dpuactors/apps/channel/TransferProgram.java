package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.service.KeptMemory;
import io.dpuactors.service.Transfer;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.service.Transfer.Transferred;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Clients that transfer blocks in trials, each with a new connection. All trials share one memory
 * pool, so that only the first waits for the kernel to map pages.
 */
abstract class TransferProgram extends ClientProgram {
  private static final double GIB = 1L << 30;

  @Option(
      names = "--verify",
      description = "Check the content of every block, after the measurement.")
  boolean verify;

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      defaultValue = "4G",
      converter = Size.Converter.class,
      description =
          "Largest memory that a server may make this client allocate. Default: ${DEFAULT-VALUE}.")
  Size maxMemory = new Size(4L << 30);

  @Mixin TrialOptions trials = new TrialOptions();

  private final String program;

  TransferProgram(String service, String usualName) {
    super(service, usualName);
    program = "dpu client " + service;
  }

  @Override
  Optional<String> problem() {
    return trials.problem();
  }

  /**
   * Returns the transfer of this program.
   *
   * @param device of the connections
   */
  abstract Mover mover(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException;

  /** Transfers all blocks of a server once, then closes the connection and replies. */
  interface Mover {
    /**
     * Creates the behavior for one connection.
     *
     * @param memory opens and closes the pools
     * @param replyTo receives the result
     */
    Behavior<Object> move(
        ActorRef<ConnectionProtocol.Command> connection,
        ActorRef<MemoryProtocol.Command> memory,
        ActorRef<Transfer> replyTo);
  }

  /** Returns the number of blocks in flight; empty for programs without this option. */
  OptionalInt parallel() {
    return OptionalInt.empty();
  }

  @Override
  final ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    DeviceInfo device = devices.client(options.device());
    Mover mover = mover(channel, devices, device);
    ActorRef<MemoryProtocol.Command> memory =
        channel.spawnOnEngine(KeptMemory.create(channel.engine()), "memory").narrow();
    ExitCode code = ExitCode.OK;
    for (int trial = 0; code == ExitCode.OK && trials.begins(trial, channel); trial++) {
      Channel.Promise<Transfer> promise = channel.promise();
      ActorRef<ConnectionProtocol.Command> connection = connect(channel, device, Optional.empty());
      channel.spawnOnEngine(mover.move(connection, memory, promise.to()), "mover-" + trial);
      code = print(result(channel, promise.answer(), connection), devices);
    }
    return code;
  }

  /** Prints the result of one trial. Returns its exit status. */
  private ExitCode print(Transfer transfer, ChannelDevices devices)
      throws ChannelException, IOException {
    if (transfer instanceof TransferFailed failed) {
      throw new ChannelException(ExitCode.FAILURE, failed.why());
    }
    Transferred done = (Transferred) transfer;
    double seconds = Math.max(1, done.elapsedNs()) / 1e9;
    double rate = done.bytes() / GIB / seconds;
    if (options.json) {
      json(done, devices, rate);
    } else {
      line()
          .getOut()
          .printf(
              Locale.ROOT,
              "%d blocks of %s: %s in %.2f ms, %.2f GiB/s, %s, %s%n",
              done.blocks(),
              Size.text(done.blockBytes()),
              Size.text(done.bytes()),
              seconds * 1e3,
              rate,
              verify ? done.wrongBlocks() == 0 ? "verified" : "WRONG" : "not verified",
              devices.library());
    }
    if (done.wrongBlocks() > 0) {
      reportError(
          "%d of %d blocks have wrong content".formatted(done.wrongBlocks(), done.blocks()));
      return ExitCode.FAILURE;
    }
    return ExitCode.OK;
  }

  private void json(Transferred done, ChannelDevices devices, double rate) throws IOException {
    printJson(
        json -> {
          json.writeStringField("program", program);
          json.writeStringField("device", devices.library());
          json.writeNumberField("blocks", done.blocks());
          json.writeNumberField("block_size", done.blockBytes());
          if (parallel().isPresent()) {
            json.writeNumberField("parallel", parallel().getAsInt());
          }
          json.writeNumberField("elapsed_us", done.elapsedNs() / 1e3);
          json.writeNumberField("data_rate_gibps", rate);
          json.writeBooleanField("verified", verify);
          json.writeBooleanField("data_error", done.wrongBlocks() > 0);
        });
  }
}
