package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The actors, engines and clock of one run of a {@link Simulation}. Nothing happens between two
 * calls: {@link #settle}, {@link #runFor} and each receive run the actors. Thread: the
 * simulation's.
 */
public final class SimulatedSystem {
  /** Runs the simulation. */
  interface Driver {
    /** Runs until a condition holds or a time is reached. Returns false if neither can happen. */
    boolean run(BooleanSupplier condition, long untilNs);

    /** Runs until a time, and lets the clock reach it. */
    void pass(long untilNs);

    /** Returns the actor system. */
    ActorSystem<?> system();
  }

  private final Driver driver;
  private final Run run;
  private final ActorRef<ProgramScenario.Command> root;
  private final List<ActorRef<EngineProtocol.Command>> engines = new ArrayList<>();
  private final List<ActorRef<Object>> contexts = new ArrayList<>();
  private @Nullable ProgramDisturbances disturbances;
  private int probes;

  SimulatedSystem(Driver driver, Run run, ActorRef<ProgramScenario.Command> root) {
    this.driver = driver;
    this.run = run;
    this.root = root;
  }

  /** Returns the seed of the run. */
  public long seed() {
    return run.seed();
  }

  /** Returns the actor system. The system serves all seeds. */
  public ActorSystem<?> actorSystem() {
    return driver.system();
  }

  /**
   * Spawns an actor.
   *
   * @param name unique among the actors of the run
   */
  public <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
    return spawn(context -> context.spawn(behavior, name));
  }

  /** Spawns an actor with properties, such as {@code Engine.props} for the thread of an engine. */
  public <T> ActorRef<T> spawn(Behavior<T> behavior, String name, Props props) {
    return spawn(context -> context.spawn(behavior, name, props));
  }

  /** Spawns an engine with its default options. The end of the run stops the engine. */
  public ActorRef<EngineProtocol.Command> engine(String name) {
    return engine(name, EngineOptions.defaults());
  }

  /** Spawns an engine. The end of the run stops the engine. */
  public ActorRef<EngineProtocol.Command> engine(String name, EngineOptions options) {
    ActorRef<EngineProtocol.Command> engine =
        spawn(context -> Engine.spawn(context, name, options));
    engines.add(engine);
    return engine;
  }

  /**
   * Spawns an engine on another host, such as that of a peer. The clock of this host has another
   * origin: a time of one host has no meaning on the other.
   */
  public ActorRef<EngineProtocol.Command> engineOnOtherHost(String name, EngineOptions options) {
    run.moveEngine(name);
    return engine(name, options);
  }

  /**
   * Kills the host of an engine, as if its machine lost power. Each engine counts as a host of its
   * own, also one of {@link #engine}.
   *
   * <ul>
   *   <li>The links of its contexts end at once, without a goodbye. Memory that the host shared is
   *       void.
   *   <li>The loop of the engine does not run: its contexts, and actors on its dispatcher, receive
   *       nothing and send nothing. Their timers and the clock of the host stand still.
   *   <li>After 60 s of virtual time the loop runs again, so that the engine can free its native
   *       objects. This is longer than the default deadlines of requests and stops. The engine then
   *       finds that its contexts have failed, and handles the messages that have waited.
   * </ul>
   *
   * <p>The kill has no effect on a host that is dead, and on an engine that has ended.
   */
  public void killHost(ActorRef<EngineProtocol.Command> engine) {
    run.killHost(engine);
  }

  /** Spawns an actor that keeps its messages. */
  public <T> SimulatedProbe<T> probe() {
    SimulatedProbe<T> probe =
        new SimulatedProbe<>(condition -> driver.run(condition, Long.MAX_VALUE));
    probe.started(spawn(probe.behavior(), "probe-" + ++probes));
    return probe;
  }

  /**
   * Sends a message and runs the simulation until the answer arrives.
   *
   * @param message makes the message from the receiver of its answer
   * @throws AssertionError if nothing happens any more
   */
  public <M, R> R ask(ActorRef<M> actor, Function<ActorRef<R>, M> message) {
    SimulatedProbe<R> probe = probe();
    actor.tell(message.apply(probe.ref()));
    return probe.receive();
  }

  /**
   * Runs the simulation until nothing happens any more, timers included. A periodic timer ends this
   * after 30 minutes of virtual time.
   */
  public void settle() {
    driver.run(() -> false, Long.MAX_VALUE);
  }

  /**
   * Runs the simulation for this virtual time. {@link #now} is later by this time at least, also if
   * nothing happens meanwhile.
   */
  public void runFor(Duration time) {
    driver.pass(run.nowNs() + time.toNanos());
  }

  /** Returns the virtual time since the begin of the run. */
  public Duration now() {
    return Duration.ofNanos(run.nowNs());
  }

  /** Returns a random number of the run, from {@code least} to {@code most}. */
  public int draw(int least, int most) {
    return run.draw(least, most);
  }

  /** Returns true in this many of 100 cases. */
  public boolean chance(int percent) {
    return run.chance(percent);
  }

  /** Returns one of the values. */
  @SafeVarargs
  @SuppressWarnings("varargs") // passed on, and read only
  public final <T> T oneOf(T... values) {
    return run.oneOf(values);
  }

  /** Fills an array with random bytes. */
  public void fill(byte[] bytes) {
    run.fill(bytes);
  }

  /** Returns a number of requests, at most that of a reduced run. */
  public int requests(int number) {
    return Math.min(number, run.reduction().requests());
  }

  /**
   * Plans up to three random disturbances, as in the scenarios of {@link Simulator}: stops and
   * failures of engines and contexts, killed hosts, and fault plans. Call this method once, when
   * all engines exist. Engines may end early, so {@link #ask} may have no answer.
   *
   * @param states of the program; many disturbances wait for one of them
   * @param state returns the current state
   * @return false if nothing disturbs the run, and each request must succeed
   */
  public boolean disturb(List<String> states, Supplier<String> state) {
    ProgramDisturbances planned =
        new ProgramDisturbances(
            run,
            engines,
            contexts,
            states,
            state,
            engine -> root.tell(new ProgramScenario.Execute(context -> context.stop(engine))));
    disturbances = planned;
    spawn(planned.behavior(), "disturbances");
    return !planned.isCalm();
  }

  /** Makes a context, a server or a connection a target of {@link #disturb}. */
  public void target(ActorRef<?> context) {
    contexts.add(context.unsafeUpcast());
  }

  /**
   * Returns a behavior that sometimes throws in a run that {@link #disturb} disturbs: at its start,
   * at its stop, before a restart, and after a message. Call {@code disturb} before.
   *
   * @param type of all messages of the behavior
   */
  public <T> Behavior<T> failing(Class<T> type, Behavior<T> behavior) {
    boolean isCalm = disturbances == null || disturbances.isCalm();
    return FailingBehavior.of(run, isCalm, type, EnumSet.allOf(Moment.class), behavior);
  }

  /** Counts a case that the run has reached, for the results of {@code dpu simulate}. */
  public void reached(String what) {
    run.reached(what);
  }

  /** Fails the run, also from an actor. The first failure is reported. */
  public void fail(String why) {
    run.fail(why);
  }

  /** Returns an effect of all fault plans of this run, such as {@code corrupted}. */
  public long faultCount(String effect) {
    return run.faultCount(effect);
  }

  /** Replaces the fault plan of the software DPU; see {@code softdpu.h}. */
  public void faults(String plan) {
    run.faults(plan);
  }

  /** Replaces the quirks of the software DPU for this run, such as {@code Q4,Q14}. */
  public void quirks(String list) {
    run.quirks(list);
  }

  /** Adds a line to the trace. The line is a part of the hash. */
  public void note(String line) {
    run.note(line);
  }

  /**
   * Permits warnings and errors in the log that contain this text. Others fail the run, except
   * those of failed contexts and engines in a run with faults or disturbances.
   */
  public void expectLog(String text) {
    run.expectLog(text);
  }

  /** Stops the engines, in order. */
  void stop() {
    ProgramDisturbances planned = disturbances;
    if (planned != null && !planned.isCalm()) {
      engines.forEach(engine -> engine.tell(new Stop()));
      settle();
      planned.check();
      return;
    }
    for (ActorRef<EngineProtocol.Command> engine : engines) {
      Stopped stopped = this.<EngineProtocol.Command, Stopped>ask(engine, Stop::new);
      run.check(stopped.clean(), "engine %s: %s", engine.path().name(), stopped);
    }
  }

  private <T> ActorRef<T> spawn(Function<ActorContext<?>, ActorRef<T>> how) {
    CompletableFuture<ActorRef<T>> spawned = new CompletableFuture<>();
    root.tell(
        new ProgramScenario.Execute(
            context -> {
              try {
                spawned.complete(how.apply(context));
              } catch (RuntimeException e) {
                spawned.completeExceptionally(e);
              }
            }));
    if (!driver.run(spawned::isDone, Long.MAX_VALUE)) {
      throw new IllegalStateException("nothing is spawned: the parent of the run has ended");
    }
    return spawned.join();
  }
}
