package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.service.Ping;
import io.dpuactors.wire.PingPong;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu client ping}. */
@Command(
    name = "ping",
    sortOptions = false,
    header = {"Measure round trips of small messages.", ""},
    description = {
      "",
      "Sends each ping after the pong of the previous one, and prints the distribution of the round trips. "
          + "The first trial of a process includes the warm-up of the JVM.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client ping   with 'dpu serve ping' in another terminal",
      "  dpu client ping --count 100000 --size 1024 --idle busy",
      "  dpu client ping --trials 5 --json"
    })
final class ClientPingCommand extends ClientProgram {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final String COLUMN = "%12s";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Round trips. Default: ${DEFAULT-VALUE}.")
  private long count = 10_000;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      defaultValue = "4",
      converter = Size.Converter.class,
      description =
          "Size of a message; the limit of the channel is 4080 bytes. Default: ${DEFAULT-VALUE}.")
  private Size size = new Size(PingPong.MIN_BYTES);

  @Mixin private TrialOptions trials = new TrialOptions();

  ClientPingCommand() {
    super("ping", PingPong.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (count < 1) {
      return Optional.of("--count " + count + ": it must be at least 1");
    }
    if (size.bytes() < PingPong.MIN_BYTES) {
      return Optional.of(
          "--size %d: it must be at least %d bytes".formatted(size.bytes(), PingPong.MIN_BYTES));
    }
    return trials.problem();
  }

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    DeviceInfo device = devices.client(options.device());
    int limit = device.comch().maxMessageBytes();
    if (size.bytes() > limit) {
      throw new ChannelException(
          ExitCode.DEVICE,
          "--size %d: the longest message of %s has %d bytes"
              .formatted(size.bytes(), device.pciAddress(), limit));
    }
    for (int trial = 0; trials.begins(trial, channel); trial++) {
      Histogram times = new Histogram(SIGNIFICANT_DIGITS);
      Ping.Pinged pinged = ping(channel, device, times);
      if (options.json) {
        json(devices, pinged, times);
      } else {
        table(trial == 0, devices, device, times);
      }
    }
    return ExitCode.OK;
  }

  private Ping.Pinged ping(Channel channel, DeviceInfo device, Histogram times)
      throws ChannelException {
    Channel.Promise<Ping.Result> promise = channel.promise();
    ActorRef<ConnectionProtocol.Command> connection =
        connect(
            channel,
            device,
            Optional.of(
                opened ->
                    Ping.create(
                        opened, count, (int) size.bytes(), times::recordValue, promise.to())));
    Ping.Result result = result(channel, promise.answer(), connection);
    if (result instanceof Ping.PingFailed failed) {
      throw new ChannelException(ExitCode.FAILURE, failed.why());
    }
    return (Ping.Pinged) result;
  }

  private void json(ChannelDevices devices, Ping.Pinged pinged, Histogram times)
      throws IOException {
    printJson(
        json -> {
          json.writeStringField("program", "dpu client ping");
          json.writeStringField("device", devices.library());
          json.writeNumberField("count", pinged.count());
          json.writeNumberField("size", pinged.size());
          json.writeNumberField("p50_ns", times.getValueAtPercentile(50));
          json.writeNumberField("p90_ns", times.getValueAtPercentile(90));
          json.writeNumberField("p99_ns", times.getValueAtPercentile(99));
          json.writeNumberField("max_ns", times.getMaxValue());
          json.writeNumberField("mean_ns", times.getMean());
          json.writeNumberField("elapsed_us", pinged.elapsedNs() / 1e3);
        });
  }

  private void table(boolean withHead, ChannelDevices devices, DeviceInfo device, Histogram times) {
    if (withHead) {
      line()
          .getOut()
          .printf(
              "%d pings of %d bytes to %s, %s %s; round trips in us:%n",
              count, size.bytes(), name(), devices.library(), device.pciAddress());
      for (String head : new String[] {"min", "p50", "p90", "p99", "p99.9", "max", "mean"}) {
        line().getOut().printf(COLUMN, head);
      }
      line().getOut().println();
    }
    us((double) times.getMinValue());
    for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
      us((double) times.getValueAtPercentile(percentile));
    }
    us(times.getMean());
    line().getOut().println();
  }

  private void us(double ns) {
    line().getOut().printf(COLUMN, String.format(Locale.ROOT, "%.2f", ns / 1e3));
  }
}
