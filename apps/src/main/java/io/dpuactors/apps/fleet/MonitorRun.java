package io.dpuactors.apps.fleet;

import com.typesafe.config.Config;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.apps.file.BatchRunner;
import io.dpuactors.file.FileFailure;
import io.dpuactors.fleet.FleetMonitor;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.Failed;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import picocli.CommandLine;

/** Runs a monitor of a fleet, and passes its events to a command on the command's thread. */
final class MonitorRun {
  /** Receives the events of a monitor, except {@link Failed}. */
  interface Handler {
    /** Returns the exit status when the command has ended. */
    Optional<ExitCode> onEvent(Event event, ActorRef<FleetMonitor.Command> monitor)
        throws IOException;
  }

  private static final Duration END_LIMIT = Duration.ofSeconds(20);

  private MonitorRun() {}

  /**
   * Runs a monitor until the handler returns a status, or the monitor fails. The run never waits
   * without an end: the monitor sends an event at least after its deadline to join, then in each
   * interval.
   */
  static ExitCode run(CommandLine line, Config config, Duration interval, Handler handler)
      throws Exception {
    BlockingQueue<Optional<Event>> events = new LinkedBlockingQueue<>();
    ActorSystem<FleetMonitor.Command> system =
        ActorSystem.create(
            FleetMonitor.create(interval, event -> events.add(Optional.of(event))), "dpu", config);
    system.getWhenTerminated().thenRun(() -> events.add(Optional.empty()));
    Interruption interruption = Interruption.of(system::terminate, END_LIMIT);
    try {
      Optional<ExitCode> code = Optional.empty();
      while (code.isEmpty()) {
        Optional<Event> next = events.take();
        if (next.isEmpty()) {
          code = Optional.of(ended(line, system));
        } else if (next.get() instanceof Failed failed) {
          line.getErr().println("dpu: " + failed.message());
          code = Optional.of(ExitCode.DEVICE);
        } else {
          code = handler.onEvent(next.get(), system);
        }
      }
      return code.get();
    } finally {
      system.terminate();
      Interruption.await(
          system.getWhenTerminated().toCompletableFuture(), END_LIMIT, "leaving the fleet");
      interruption.over();
    }
  }

  /** Returns the status after the end of the actor system. A signal ends it, or the fleet. */
  private static ExitCode ended(CommandLine line, ActorSystem<?> system) {
    Optional<FileFailure> failure = BatchRunner.byFleet(system);
    if (failure.isEmpty()) {
      return ExitCode.INTERRUPTED; // the process ends with the status of the signal
    }
    line.getErr().println("dpu: " + failure.get().message());
    return ExitCode.of(failure.get().kind());
  }

  /** Prints the reason of a failure, and returns its status. */
  static Optional<ExitCode> fail(CommandLine line, String why) {
    line.getErr().println("dpu: " + why);
    return Optional.of(ExitCode.FAILURE);
  }
}
