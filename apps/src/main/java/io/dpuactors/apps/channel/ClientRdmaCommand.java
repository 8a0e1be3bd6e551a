package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.apps.cli.Size;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
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
      "  dpu client rdma --latency --size 64 --count 100000 --idle busy"
    })
final class ClientRdmaCommand extends ChannelCommand {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final int LARGEST_OF_ALL = 8 << 20;

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

  @Option(
      names = "--operation",
      paramLabel = "NAME",
      defaultValue = "write",
      description = "write, read, send or atomic (adds to a number). Default: ${DEFAULT-VALUE}.")
  private String operationName = "write";

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
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of connections. Default: ${DEFAULT-VALUE}.")
  private int connections = 1;

  @Option(names = "--latency", description = "Print times instead of rates.")
  private boolean latency;

  @Option(names = "--verify", description = "Check the content, after the measurement.")
  private boolean verify;

  @Override
  EndpointOptions options() {
    return options;
  }

  private Optional<Operation> operation() {
    return Arrays.stream(Operation.values())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(operationName))
        .findFirst();
  }

  @Override
  Optional<String> problem() {
    if (operation().isEmpty()) {
      return Optional.of(
          "--operation %s: it must be one of write, read, send, atomic".formatted(operationName));
    }
    if (count < 1 || parallel < 1 || connections < 1) {
      return Optional.of("--count, --parallel, --connections: they must be at least 1");
    }
    if (largest(operation().orElseThrow()) > Integer.MAX_VALUE / inFlight()) {
      return Optional.of(
          "--parallel, --size, --all: all buffers together must have less than 2 GiB");
    }
    return port.problem().or(trials::problem);
  }

  /** A connection that has its server's offer. */
  private record Endpoint(ActorRef<RdmaMeter.Command> meter, long largest) {}

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    Operation operation = operation().orElseThrow();
    DeviceInfo device = devices.rdma(options.device());
    RdmaOptions wanted =
        RdmaOptions.defaults()
            .onDevice(device.pciAddress())
            .withWindow(inFlight())
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
            (int) largest(operation),
            inFlight(),
            times::recordValue);
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      endpoints.add(connect(channel, context, ofMeters, operation, "client-" + i));
    }
    RdmaTable table = new RdmaTable(line().getOut(), operationName, devices.library(), latency);
    boolean isCorrect = true;
    List<Integer> sizes = sizes(operation, endpoints);
    for (int trial = 0; trials.begins(trial, channel); trial++) {
      for (int each : sizes) {
        times.reset();
        Load load = new Load(operation, each, count, verify);
        isCorrect &= measure(channel, endpoints, load, times, table);
      }
    }
    if (!isCorrect) {
      reportError("the content is wrong");
    }
    return isCorrect ? ExitCode.OK : ExitCode.FAILURE;
  }

  /** Returns the size of the largest task. Atomic tasks and --all have sizes without --size. */
  private long largest(Operation operation) {
    if (operation == Operation.ATOMIC) {
      return Long.BYTES;
    }
    return all ? LARGEST_OF_ALL : size.bytes();
  }

  private int inFlight() {
    return latency ? 1 : parallel;
  }

  private List<Integer> sizes(Operation operation, List<Endpoint> endpoints)
      throws ChannelException {
    long allowed = endpoints.stream().mapToLong(Endpoint::largest).min().orElseThrow();
    if (!all || operation == Operation.ATOMIC) {
      int bytes = (int) largest(operation);
      if (bytes > allowed) {
        throw new ChannelException(
            ExitCode.DEVICE,
            "--size %s: the server allows %s for %s"
                .formatted(Size.text(bytes), Size.text(allowed), operationName));
      }
      return List.of(bytes);
    }
    int last = (int) Math.min(allowed, LARGEST_OF_ALL);
    return IntStream.iterate(2, each -> each <= last, each -> each * 2).boxed().toList();
  }

  private Endpoint connect(
      Channel channel,
      ActorRef<RdmaProtocol.Command> context,
      MeterOptions ofMeters,
      Operation operation,
      String name)
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
        operation == Operation.SEND ? answer.offer().messageBytes() : answer.offer().bytes());
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
      Channel channel, List<Endpoint> endpoints, Load load, Histogram times, RdmaTable table)
      throws Exception {
    List<Channel.Promise<Result>> answers = new ArrayList<>();
    for (Endpoint each : endpoints) {
      Channel.Promise<Result> promise = channel.promise();
      each.meter().tell(new Run(load, promise.to()));
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
            load.size(), count * connections, Math.max(1, endNs - beginNs), times, isCorrect);
    if (options.json) {
      printJson(
          json -> {
            json.writeStringField("program", "dpu client rdma");
            table.write(json, row);
            json.writeNumberField("parallel", inFlight());
            json.writeNumberField("connections", connections);
            json.writeBooleanField("verified", verify);
          });
    } else {
      table.print(row);
    }
    return isCorrect;
  }
}
