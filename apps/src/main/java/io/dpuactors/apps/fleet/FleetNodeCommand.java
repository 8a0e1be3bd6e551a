package io.dpuactors.apps.fleet;

import ch.qos.logback.classic.Level;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.apps.cli.Termination;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.fleet.FleetConfig;
import io.dpuactors.fleet.FleetNode;
import io.dpuactors.fleet.FleetNodeEvent;
import io.dpuactors.fleet.FleetNodeEvent.Failed;
import io.dpuactors.fleet.FleetNodeEvent.Ready;
import io.dpuactors.fleet.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu fleet node}. */
@Command(
    name = "node",
    sortOptions = false,
    header = {"Run one node of a fleet.", ""},
    description = {
      "",
      "A node offers its devices to the clients of the fleet until SIGTERM or SIGINT (Ctrl-C), then finishes its blocks and leaves. "
          + "The node prints one line when it takes work. The node contacts the members of --join and of its last run. Without any, it begins a fleet; "
          + "if it is itself the first member of --join, it does so when none of the others is in a fleet.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu fleet node                                     the first node",
      "  dpu fleet node --port 25521 --join 127.0.0.1:25520   one more"
    })
final class FleetNodeCommand extends CliCommand {
  /** Limit of Pekko's wait for its connections: see {@link FleetNode#whenLeft}. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "TCP port. Default: dpu.fleet.port of the configuration: 25520.")
  private @Nullable Integer port;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = {
        "Name or address under which other members reach this node.",
        "Default: dpu.fleet.host of the configuration: 127.0.0.1."
      })
  private @Nullable String host;

  @Option(
      names = "--begin",
      description =
          "Begin a new fleet without --join, also if the node has saved members of its last run.")
  private boolean begin;

  @Option(
      names = "--devices",
      paramLabel = "PCI",
      split = ",",
      description = {
        "PCI addresses, one engine each; an address may be repeated.",
        "Default: the first device that can deflate or inflate."
      })
  private List<String> devices = new ArrayList<>();

  @Option(
      names = "--supervised",
      hidden = true,
      description = "Leave the fleet when standard input ends.")
  private boolean supervised;

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    common.start(Level.INFO);
    refuse(problem());
    Config base = base();
    int self;
    List<HostPort> seeds;
    try {
      self = port == null ? base.getInt("dpu.fleet.port") : port;
      seeds = begin ? List.of() : FleetConfig.seeds(base, self, fleet.join);
    } catch (IOException e) {
      String why = ErrorText.of(e);
      return fail("cannot read the members of the last run: " + why, ExitCode.FAILURE).status();
    } catch (ConfigException e) {
      throw new Configuration.ConfigurationError(e);
    }
    Config config = Configuration.checked(() -> FleetConfig.node(base, self, seeds));
    AtomicReference<@Nullable Failed> failure = new AtomicReference<>();
    ActorSystem<FleetNode.Command> system =
        ActorSystem.create(
            FleetNode.create(devices, seeds, event -> onEvent(event, failure)), "dpu", config);
    CompletionStage<Done> left = FleetNode.whenLeft(system);
    Interruption interruption = Interruption.of(system::terminate, FleetOptions.stopLimit(config));
    Termination.onSigTerm(system::terminate);
    if (supervised) {
      leaveAtEndOfInput(system);
    }
    left.toCompletableFuture().get();
    Interruption.await(
        system.getWhenTerminated().toCompletableFuture(), CLOSE_LIMIT, "close of the connections");
    interruption.over();
    return status(system, failure.get()).status();
  }

  private Optional<String> problem() {
    if (begin && !fleet.join.isEmpty()) {
      return Optional.of("--begin and --join exclude each other");
    }
    if (port != null && (port < 0 || port > 65535)) {
      return Optional.of("--port " + port + ": it must be from 0 to 65535");
    }
    if (devices.size() > GroupOptions.MAX_ENGINES) {
      return Optional.of(
          "--devices has %d addresses; the limit is %d"
              .formatted(devices.size(), GroupOptions.MAX_ENGINES));
    }
    return Optional.empty();
  }

  private Config base() throws Configuration.ConfigurationError {
    Config config = Configuration.load(FleetConfig.defaults());
    return host == null
        ? config
        : config.withValue("dpu.fleet.host", ConfigValueFactory.fromAnyRef(host));
  }

  /** Prints one line when the node takes work. Scripts and 'fleet up' wait for this line. */
  private void onEvent(FleetNodeEvent event, AtomicReference<@Nullable Failed> failure) {
    if (event instanceof Failed failed) {
      failure.set(failed);
    } else if (event instanceof Ready ready) {
      line()
          .getOut()
          .println(
              "node %s is up: %s %s".formatted(ready.address(), ready.library(), ready.devices()));
    }
  }

  /**
   * A supervisor that ends for any reason closes the pipe. The nodes of this supervisor end then,
   * too.
   */
  private static void leaveAtEndOfInput(ActorSystem<?> system) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // input has no meaning
                }
              } catch (IOException e) {
                LoggerFactory.getLogger(FleetNodeCommand.class).debug("standard input ended", e);
              }
              system.terminate();
            },
            "dpu-supervisor");
    reader.setDaemon(true);
    reader.start();
  }

  private ExitCode status(ActorSystem<?> system, @Nullable Failed failure) {
    if (failure != null) {
      ExitCode code =
          switch (failure.cause()) {
            case SETTING -> ExitCode.USAGE;
            case DEVICE -> ExitCode.DEVICE;
            case NODE -> ExitCode.FAILURE;
          };
      return fail(failure.message(), code);
    }
    CoordinatedShutdown.Reason reason =
        CoordinatedShutdown.get(system)
            .getShutdownReason()
            .orElse(CoordinatedShutdown.unknownReason());
    if (reason.equals(CoordinatedShutdown.clusterDowningReason())) {
      return fail("the rest of the fleet has removed this node", ExitCode.DOWNED);
    }
    return reason.equals(CoordinatedShutdown.incompatibleConfigurationDetectedReason())
        ? fail("the fleet refused this node: its configuration differs", ExitCode.USAGE)
        : ExitCode.OK;
  }
}
