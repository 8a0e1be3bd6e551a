package io.dpuactors.apps.channel;

import com.typesafe.config.Config;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.Configuration.ConfigurationError;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.service.RdmaMeter;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Measured;
import io.dpuactors.service.RdmaMeter.MeterFailed;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.service.RdmaMeter.Ready;
import io.dpuactors.service.RdmaMeter.Result;
import io.dpuactors.service.RdmaMeter.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu client rdma}. */
@Command(
    name = "rdma",
    sortOptions = false,
    header = {"Measure rates and times of RDMA.", ""},
    description = {
      "",
      "Writes, reads or atomically changes memory of a server, or sends messages to it. Prints"
          + " rates, or with --latency the distribution of the times from a request to its"
          + " answer. ib_write_lat prints half of a round trip of two writes instead.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client rdma   with 'dpu serve rdma' in another terminal",
      "  dpu client rdma --operation read --all --verify",
      "  dpu client rdma --size 64 --parallel 128 --batch 64 --count 64000",
      "  dpu client rdma --latency --size 64 --count 100000 --idle busy"
    })
final class ClientRdmaCommand extends ChannelCommand {
  private static final int SIGNIFICANT_DIGITS = 3;

  /** Size of the device's queue. */
  private static final int MOST_TASKS = 8192;

  @Mixin private EndpointOptions options = new EndpointOptions();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "IPv4 or IPv6 address of the server's device, in digits. Default: ${DEFAULT-VALUE}.")
  private String host = "127.0.0.1";

  @Mixin private PortOption port = new PortOption();

  @Mixin private TrialOptions trials = new TrialOptions();

  @Mixin private RdmaLoadOptions load = new RdmaLoadOptions();

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of connections. Default: ${DEFAULT-VALUE}.")
  private int connections = 1;

  @Override
  EndpointOptions options() {
    return options;
  }

  @Override
  Optional<String> problem() {
    if (connections < 1) {
      return Optional.of("--connections %d: it must be at least 1".formatted(connections));
    }
    return load.problem().or(this::problemOfTasks).or(port::problem).or(trials::problem);
  }

  private Optional<String> problemOfTasks() {
    return tasks() <= MOST_TASKS
        ? Optional.empty()
        : Optional.of(
            "--parallel %d, --connections %d: all connections together have at most %d tasks"
                .formatted(load.inFlight(), connections, MOST_TASKS));
  }

  /** Returns the number of tasks in flight on all connections. */
  private long tasks() {
    return (long) load.inFlight() * connections;
  }

  /** Returns the configured number of tasks on the device, or a larger one for all in flight. */
  private int tasksOfContext(Config config) throws ConfigurationError {
    return (int) Math.max(Configuration.window(config, "dpu.rdma.tasks"), tasks());
  }

  /** A connection that has its server's offer. */
  private record Endpoint(ActorRef<RdmaMeter.Command> meter, long largest) {}

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    DeviceInfo device = devices.rdma(options.device());
    RdmaOptions wanted =
        RdmaOptions.defaults()
            .onDevice(device.pciAddress())
            .withTasks(tasksOfContext(channel.config()))
            .withWindow(load.inFlight())
            .withMaxConnections(connections);
    ActorRef<RdmaProtocol.Command> context =
        channel.<RdmaProtocol.Command, RdmaProtocol.OpenReply>open(
            me -> new OpenRdma("rdma", wanted, me));
    Histogram times = new Histogram(SIGNIFICANT_DIGITS);
    MeterOptions ofMeters =
        new MeterOptions(
            channel.engine(),
            context,
            device.pciAddress(),
            (int) load.largest(),
            load.inFlight(),
            load.batch,
            times::recordValue);
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      endpoints.add(connect(channel, context, ofMeters, "client-" + i));
    }
    List<Load> loads =
        load.loads(endpoints.stream().mapToLong(Endpoint::largest).min().orElseThrow());
    RdmaTable table =
        new RdmaTable(line().getOut(), load.operationName, devices.library(), load.latency);
    boolean isCorrect = true;
    for (int trial = 0; trials.begins(trial, channel); trial++) {
      for (Load each : loads) {
        times.reset();
        isCorrect &= measure(channel, endpoints, each, times, table);
      }
    }
    if (!isCorrect) {
      reportError("the content is wrong");
    }
    return isCorrect ? ExitCode.OK : ExitCode.FAILURE;
  }

  private Endpoint connect(
      Channel channel, ActorRef<RdmaProtocol.Command> context, MeterOptions ofMeters, String name)
      throws ChannelException {
    Channel.Promise<Result> ready = channel.promise();
    RdmaClientOptions to =
        RdmaClientOptions.of(host, port.port).withBehavior(RdmaMeter.of(ofMeters, ready.to()));
    try {
      channel.opened(
          ExitCode.FAILURE,
          channel.<RdmaConnectionProtocol.OpenReply>answer(
              me -> context.tell(new OpenRdmaClient(name, to, me))));
    } catch (ChannelException e) {
      throw e.is(DocaCode.CONNECTION_ABORTED)
          ? new ChannelException(
              e.code(),
              "no server at %s port %d, or it is full (start one: %s serve rdma%s)"
                  .formatted(
                      host,
                      port.port,
                      SelfCommand.name(),
                      port.port == 4791 ? "" : " --port " + port.port))
          : e;
    }
    Ready answer = (Ready) succeeded(channel, ready);
    return new Endpoint(
        answer.meter(),
        load.operation() == Operation.SEND
            ? answer.offer().messageBytes()
            : answer.offer().bytes());
  }

  private static Result succeeded(Channel channel, Channel.Promise<Result> promise)
      throws ChannelException {
    Result result = channel.await(promise.answer());
    if (result instanceof MeterFailed failed) {
      throw new ChannelException(ExitCode.FAILURE, failed.why());
    }
    return result;
  }

  /**
   * Runs the load on all connections at once, and prints one row. Returns whether it is correct.
   */
  private boolean measure(
      Channel channel, List<Endpoint> endpoints, Load tasks, Histogram times, RdmaTable table)
      throws Exception {
    List<Channel.Promise<Result>> answers = new ArrayList<>();
    for (Endpoint each : endpoints) {
      Channel.Promise<Result> promise = channel.promise();
      each.meter().tell(new Run(tasks, promise.to()));
      answers.add(promise);
    }
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    boolean isCorrect = true;
    for (Channel.Promise<Result> each : answers) {
      Measured measured = (Measured) succeeded(channel, each);
      beginNs = Math.min(beginNs, measured.beginNs());
      endNs = Math.max(endNs, measured.endNs());
      isCorrect &= measured.isCorrect();
    }
    RdmaTable.Row row =
        new RdmaTable.Row(
            tasks.size(),
            tasks.count() * connections,
            Math.max(1, endNs - beginNs),
            times,
            isCorrect);
    if (options.json) {
      printJson(
          json -> {
            json.writeStringField("program", "dpu client rdma");
            table.write(json, row);
            json.writeNumberField("parallel", load.inFlight());
            json.writeNumberField("batch", load.batch);
            json.writeNumberField("connections", connections);
            json.writeBooleanField("verified", tasks.verify());
          });
    } else {
      table.print(row);
    }
    return isCorrect;
  }
}
