package io.dpuactors.simulation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import scala.concurrent.BlockContext$;

/**
 * Runs scenarios, one seed after another, on one actor system and the calling thread. After a
 * failed run, create another simulator: actors of that run may be left.
 */
public final class Simulator implements AutoCloseable {
  /** Virtual time after which a run must have ended. */
  private static final long LIMIT_NS = Duration.ofMinutes(30).toNanos();

  /** Number of steps of a run that has no end. */
  private static final int MAX_STEPS = 2_000_000;

  /** Number of {@link Guardian.Finish} messages: the first one may only stop engines. */
  private static final int MAX_FINISHES = 3;

  private final SoftDpu device;
  private final World world;
  private final Guardian guardian = new Guardian();
  private final LogWatch log;
  private final ActorSystem<Guardian.Command> system;

  private Simulator(SoftDpu device, LogWatch log) {
    this.device = device;
    this.log = log;
    world = new World(device);
    world.begin(0, null);
    system = blocking(() -> ActorSystem.create(guardian.behavior(), "simulation", configuration()));
    warmUp();
  }

  /**
   * Runs each scenario once, so that no later run is the first one: Pekko and the engine start some
   * actors with their first use. Drops the timers of the actor system, which have no end.
   */
  private void warmUp() {
    settle(0);
    world.time().clear();
    for (Supplier<Scenario> scenario : Scenarios.ALL.values()) {
      Outcome outcome = run(scenario.get(), 0, null);
      if (outcome.problem().isPresent()) {
        throw new IllegalStateException("the first run failed: " + outcome.problem().get());
      }
    }
  }

  /** Creates a simulator of the calling thread. The software DPU executes inline from now on. */
  public static Simulator create() {
    return new Simulator(SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU)), LogWatch.begin());
  }

  private static Config configuration() {
    return ConfigFactory.parseResources(Simulator.class, "/simulation.conf")
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  /** Returns the names of all scenarios. */
  public static List<String> scenarios() {
    return List.copyOf(Scenarios.ALL.keySet());
  }

  /**
   * Runs a scenario.
   *
   * @param scenario one of {@link #scenarios}
   * @param lines accepts the trace, one line per step; null: none
   * @throws IllegalArgumentException if there is no such scenario
   */
  public Outcome run(String scenario, long seed, @Nullable Consumer<String> lines) {
    Supplier<Scenario> factory = Scenarios.ALL.get(scenario);
    if (factory == null) {
      throw new IllegalArgumentException(
          "no scenario \"%s\" (there are %s)".formatted(scenario, scenarios()));
    }
    return run(factory.get(), seed, lines);
  }

  Outcome run(Scenario scenario, long seed, @Nullable Consumer<String> lines) {
    log.take();
    world.begin(seed, lines);
    long beganNs = world.time().nowNs();
    Run run = new Run(seed, world.random(), device, world.trace(), () -> world.time().nowNs());
    blocking(
        () -> {
          live(scenario, run);
          return null;
        });
    world.end();
    long ns = world.time().nowNs() - beganNs;
    return new Outcome(
        scenario.name(),
        seed,
        world.trace().hash(),
        world.trace().steps(),
        ns,
        run.reached(),
        Optional.ofNullable(run.problem()));
  }

  private void live(Scenario scenario, Run run) {
    system.tell(new Guardian.Begin(run, scenario.create(run), scenario.dispatcher(system, run)));
    checkSettled(run, "the scenario");
    for (int i = 0; i < MAX_FINISHES && !guardian.isIdle(); i++) {
      system.tell(new Guardian.Finish());
      checkSettled(run, "the end of the scenario");
    }
    run.check(guardian.isIdle(), "the actor of the scenario did not stop");
    device.clearFaults();
    device.quirks("");
    if (world.intrusion() != null) {
      run.fail(world.intrusion());
    }
    for (Map.Entry<String, Long> objects : device.census().entrySet()) {
      run.check(objects.getValue() == 0, "left open on the device: " + device.census());
    }
    for (String line : log.take()) {
      run.check(ExpectedLog.matches(line), "unexpected log line: " + line);
    }
  }

  private void checkSettled(Run run, String what) {
    long untilNs = world.time().nowNs() + LIMIT_NS;
    run.check(settle(untilNs), what + " has no end: " + MAX_STEPS + " steps");
    run.check(world.time().pending() == 0, what + " left timers");
  }

  /** Runs until nothing happens any more. Returns false if that takes too many steps. */
  private boolean settle(long untilNs) {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (!world.step(untilNs)) {
        return true;
      }
    }
    return false;
  }

  private <T> T blocking(Supplier<T> body) {
    return BlockContext$.MODULE$.withBlockContext(world, body::get);
  }

  /** Ends the actor system. */
  @Override
  public void close() {
    blocking(
        () -> {
          system.terminate();
          return settle(world.time().nowNs() + LIMIT_NS);
        });
    log.close();
    device.clearFaults();
    device.manualClock(false);
  }
}
