package io.dpuactors.simulation;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.testkit.device.DeviceLock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.jspecify.annotations.Nullable;

/**
 * Runs scenarios, one seed after another, on the calling thread. The runs share an actor system; a
 * run that stops it leaves the next run a new one. After a failed run, create another simulator:
 * actors of that run may be left.
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
  private final LogWatch log;
  private final WorldSystem actors;
  private boolean hasFailed;
  private boolean isClosed;

  private Simulator(SoftDpu device, LogWatch log, Config config) {
    this.device = device;
    this.log = log;
    FutureExecutor.install();
    world = new World(device);
    world.begin(0, null);
    actors = new WorldSystem(config);
  }

  /**
   * Starts an engine, so that no later run is the first one: Pekko and the engine start some actors
   * with their first use. The next run drops the timers of the actor system, which have no end.
   */
  private void warmUp() {
    Receptionist.get(actors.get());
    Scenarios.PROVIDED.forEach(provided -> provided.prepare(actors.get()));
    settle(0);
    require(ProgramScenario.of("", simulated -> simulated.engine("first")), 0, null);
  }

  /**
   * Creates a simulator of the calling thread, after the end of other simulations and tests with an
   * engine. The software DPU executes inline until the end of the simulator.
   *
   * @throws IllegalStateException if the calling thread has a simulator or such a test
   */
  public static Simulator create() {
    return create(SimulatedConfig.NONE);
  }

  static Simulator create(Config user) {
    Config config = SimulatedConfig.of(user);
    SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
    DeviceLock.acquire();
    try {
      return create(device, LogWatch.begin(), config);
    } catch (RuntimeException | Error e) {
      DeviceLock.release();
      throw e;
    }
  }

  private static Simulator create(SoftDpu device, LogWatch log, Config config) {
    try {
      Simulator simulator = new Simulator(device, log, config);
      simulator.warmUp();
      return simulator;
    } catch (RuntimeException | Error e) {
      restore(device, log);
      throw e;
    }
  }

  /** The process continues without a simulation. */
  private static void restore(SoftDpu device, LogWatch log) {
    World.leave();
    log.close();
    DeviceTime.end(device);
  }

  /** Returns the names of all scenarios. */
  public static List<String> scenarios() {
    return List.copyOf(Scenarios.ALL.keySet());
  }

  /**
   * Runs a scenario.
   *
   * @param scenario one of {@link #scenarios}
   * @param reduction a smaller form of the run
   * @param reader accepts each step; null: none
   * @throws IllegalArgumentException if there is no such scenario
   */
  public Outcome run(
      String scenario, long seed, Reduction reduction, @Nullable Consumer<TraceStep> reader) {
    Supplier<Scenario> factory = Scenarios.ALL.get(scenario);
    if (factory == null) {
      throw new IllegalArgumentException(
          "no scenario \"%s\" (there are %s)".formatted(scenario, scenarios()));
    }
    Scenario created = factory.get();
    return outcome(created, execute(created, seed, reduction, reader));
  }

  /** Runs a scenario and throws the problem of a failed run, or the assumption that ended it. */
  Outcome require(Scenario scenario, long seed, @Nullable Consumer<TraceStep> reader) {
    Run run = execute(scenario, seed, Reduction.NONE, reader);
    String problem = run.problem();
    if (run.cause() instanceof RuntimeException cause
        && SimulationFailedError.isAssumption(cause)) {
      throw cause;
    }
    if (problem != null) {
      throw new SimulationFailedError(seed, problem, run.cause());
    }
    return outcome(scenario, run);
  }

  private Run execute(
      Scenario scenario, long seed, Reduction reduction, @Nullable Consumer<TraceStep> reader) {
    if (actors.hasStopped()) {
      restart();
    }
    log.take();
    world.begin(seed, reader);
    Run run =
        new Run(
            scenario.name(),
            seed,
            reduction,
            world.random(),
            scenario.pace(world.pace()),
            device,
            world.trace(),
            world.control());
    WorldBlocking.run(
        world,
        () -> {
          live(scenario, run);
          return null;
        });
    world.end();
    hasFailed |= run.problem() != null;
    return run;
  }

  /** Replaces the actor system that a run has stopped. */
  private void restart() {
    world.begin(0, null);
    actors.restart();
    warmUp();
  }

  private Outcome outcome(Scenario scenario, Run run) {
    return new Outcome(
        scenario.name(),
        run.seed(),
        run.trace().hash(),
        run.trace().steps(),
        world.time().nowNs(),
        run.reached(),
        Optional.ofNullable(run.problem()));
  }

  private void live(Scenario scenario, Run run) {
    Quirks.begin(run, device);
    ActorSystem<Guardian.Command> system = actors.get();
    system.tell(new Guardian.Begin(run, scenario.create(run), scenario.props(system, run)));
    drive(scenario, run);
    checkSettled(run, "the scenario");
    for (int i = 0; i < MAX_FINISHES && !actors.guardian().isIdle(); i++) {
      system.tell(new Guardian.Finish());
      checkSettled(run, "the end of the scenario");
    }
    run.check(actors.guardian().isIdle(), "the actor of the scenario did not stop");
    run.check(actors.hasStopped() || !actors.isStopping(), "the actor system did not stop");
    run.endFaults();
    device.quirks("");
    if (world.wrongThread() != null) {
      run.fail(world.wrongThread());
    }
    run.checkDevice();
    for (String line : log.take()) {
      run.check(run.explains(line), "unexpected log line: " + line);
    }
  }

  private void drive(Scenario scenario, Run run) {
    try {
      runUntil(() -> actors.guardian().actor() != null, LIMIT_NS);
      scenario.drive(new SystemDriver(), run, Objects.requireNonNull(actors.guardian().actor()));
    } catch (Throwable e) { // JUnit and other languages throw checked exceptions undeclared
      run.fail(e.toString(), e);
    }
  }

  /** Lets the code of a scenario run the world. */
  private final class SystemDriver implements SimulatedSystem.Driver {
    @Override
    public boolean run(BooleanSupplier condition, long untilNs) {
      return runUntil(condition, Math.min(untilNs, world.time().nowNs() + LIMIT_NS));
    }

    @Override
    public void pass(long untilNs) {
      runUntil(() -> false, untilNs);
      world.pass(untilNs);
    }

    @Override
    public ActorSystem<?> system() {
      return actors.get();
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

  /** Returns false if nothing happens any more until then and the condition does not hold. */
  private boolean runUntil(BooleanSupplier condition, long untilNs) {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (!world.step(untilNs)) {
        return condition.getAsBoolean();
      }
    }
    throw new IllegalStateException("the run has no end: " + MAX_STEPS + " steps");
  }

  /** Ends the actor system. A failed run may leave contexts, which keep the device inline. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    world.resume();
    try {
      WorldBlocking.run(
          world,
          () -> {
            actors.get().terminate();
            return settle(world.time().nowNs() + LIMIT_NS);
          });
    } finally {
      restore();
    }
  }

  private void restore() {
    try {
      restore(device, log);
    } catch (DocaException e) {
      if (!hasFailed) {
        throw e;
      }
    } finally {
      DeviceLock.release();
    }
  }
}
