package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** One run of a scenario: its random numbers, its faults, and its results. World's thread. */
final class Run {
  private static final int SHORTEST_JUMP_NS = 1_000_000;

  /** A stop that waits for delayed tasks ends before its deadline, also with jumps. */
  static final int LONGEST_JUMP_NS = 1_000_000_000;

  /** An engine survives three failed turns or waits in a row. */
  private static final int MOST_FAILURES = 6;

  private final String scenario;
  private final long seed;
  private final Reduction reduction;
  private final SplittableRandom random;
  private final Pace pace;
  private final SoftDpu device;
  private final Trace trace;
  private final RunControl control;
  private final FiredRules fired;
  private final Explanations explanations;
  private final Map<String, Integer> reached = new TreeMap<>();
  private final Map<String, Long> effects = new TreeMap<>();
  private final List<String> expectedLog = new ArrayList<>();
  private boolean expectsFailures;
  private @Nullable String problem;
  private @Nullable Throwable cause;

  Run(
      String scenario,
      long seed,
      Reduction reduction,
      SplittableRandom random,
      Pace pace,
      SoftDpu device,
      Trace trace,
      RunControl control) {
    this.scenario = scenario;
    this.seed = seed;
    this.reduction = reduction;
    this.random = random;
    this.pace = pace;
    this.device = device;
    this.trace = trace;
    this.control = control;
    this.fired = new FiredRules(device::firedRules, this::reached);
    this.explanations =
        new Explanations(this::fail, fired::inAnyState, fired::errors, reached::keySet);
    trace.observe(new EndOrder(this::fail), explanations);
    control.observe(fired::afterStep);
  }

  /** Returns the name of the scenario. */
  String scenario() {
    return scenario;
  }

  long seed() {
    return seed;
  }

  /** Returns the form of the run. */
  Reduction reduction() {
    return reduction;
  }

  /** Returns the virtual time, nanoseconds. */
  long nowNs() {
    return control.nowNs();
  }

  /** Returns a time in which a due step surely happens, nanoseconds. */
  long slackNs() {
    return pace.slackNs();
  }

  /** Returns a random number from {@code least} to {@code most}. */
  int draw(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** Returns true in this many of 100 cases. */
  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** Does {@link #chance} for an exception of a behavior: false if the run has none. */
  boolean throwsIn(int percent) {
    return chance(percent) && mayThrow();
  }

  /** Returns whether behaviors may throw in this run: not in one with an aim. */
  boolean mayThrow() {
    return !reduction.dropped().contains(Reduction.THROWS) && Aim.cell(this) == null;
  }

  /** Returns one of the values. */
  @SafeVarargs
  final <T> T oneOf(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** Fills an array with random bytes. */
  void fill(byte[] bytes) {
    random.nextBytes(bytes);
  }

  /** Returns whether a step of an engine waits while the caller runs. */
  boolean isEngineWaiting() {
    return control.isEngineWaiting();
  }

  /** Moves an engine that has not started to another host, whose clock differs. */
  void moveEngine(String name) {
    control.moveEngine(name);
  }

  /** Kills the host of an engine. Its links end, and its loop does not run for a minute. */
  void killHost(ActorRef<EngineProtocol.Command> engine) {
    String name = engine.path().name();
    note("killed host of " + name);
    expectFailures();
    expectLog("[dpu-engines] timed out"); // a dead host does not stop with the actor system
    control.killHost(name);
  }

  /** Disturbs the device, the clock, or the turns, the waits and the actors of the engines. */
  void disturbDevice(Disturb disturb) {
    switch (disturb.what()) {
      case FAULTS -> faults(disturb.plan());
      case JUMP_CLOCK -> control.jump(draw(SHORTEST_JUMP_NS, LONGEST_JUMP_NS));
      case FAIL_TURNS -> control.failTurns(draw(1, MOST_FAILURES));
      case FAIL_WAITS -> control.failWaits(draw(1, MOST_FAILURES));
      default -> control.failAt(disturb.moment(), draw(1, MOST_FAILURES));
    }
  }

  /** Replaces the fault plan of the software DPU. */
  void faults(String plan) {
    note("faults: " + plan);
    if (!plan.isEmpty()) {
      expectFailures();
    }
    device.faultCounters().forEach((effect, count) -> effects.merge(effect, count, Long::sum));
    fired.count();
    device.faults(plan);
    fired.begin(plan);
  }

  /** Replaces the quirks of the software DPU, until the end of the run. */
  void quirks(String list) {
    note("quirks: " + list);
    device.quirks(list);
  }

  /** Sets the place in the table of coverage: the program and its state, or empty if unknown. */
  void watch(Supplier<String> place) {
    fired.watch(place);
  }

  /** Sets the aim of the run, which sees the place after each step. */
  void aim(Aim aim) {
    fired.aim(aim::at);
  }

  /** Returns the explanations of failed answers. */
  Explanations explanations() {
    return explanations;
  }

  /** Ends the faults of the run. */
  void endFaults() {
    fired.count();
    device.clearFaults();
    fired.begin("");
  }

  /** Returns an effect of all fault plans of this run; see {@link SoftDpu#faultCounters}. */
  long faultCount(String effect) {
    return effects.getOrDefault(effect, 0L) + device.faultCounters().getOrDefault(effect, 0L);
  }

  Trace trace() {
    return trace;
  }

  /** Adds a result to the trace. */
  void note(String result) {
    trace.note(result, nowNs());
  }

  /**
   * Notes a disturbance.
   *
   * @param place the program and its state
   */
  void disturbed(Disturb disturb, String place) {
    reached(disturb.what().name());
    reached(Coverage.cell(place, disturb.what().name()));
    note(disturb.what().name());
  }

  /** Counts a case that this run has reached, for the table of coverage. */
  void reached(String what) {
    reached.merge(what, 1, Integer::sum);
  }

  /** Fails the run. The first problem is reported. */
  void fail(String why) {
    fail(why, null);
  }

  /** Does {@link #fail(String)} for an exception. */
  void fail(String why, @Nullable Throwable exception) {
    note("PROBLEM: " + why);
    if (problem == null) {
      problem = why;
      cause = exception;
    }
  }

  /** Fails the run unless a condition holds. */
  void check(boolean holds, String otherwise) {
    if (!holds) {
      fail(otherwise);
    }
  }

  /** Does {@link #check(boolean, String)} with a format. Only a failure formats the message. */
  @SuppressWarnings("AnnotateFormatMethod") // a library for the annotation alone is too much
  void check(boolean holds, String format, @Nullable Object... parts) {
    if (!holds) {
      fail(String.format(format, parts));
    }
  }

  /** Fails the run if it has more wrong results than faults can have caused. */
  void checkFaulty(String what, int count) {
    long faults = faultCount("corrupted");
    check(count <= faults, "%d %s, %d by faults", count, what, faults);
  }

  /** Fails the run for native objects that are left, and for a wrong native call. */
  void checkDevice() {
    Map<String, Long> census = device.census();
    check(
        census.values().stream().allMatch(count -> count == 0),
        "left open on the device: " + census);
    device.wrongCall().ifPresent(this::wrongCall);
  }

  /** A wrong native call is refused, which may cause the other problems. */
  private void wrongCall(String call) {
    String effect = problem == null ? "" : "; then: " + problem;
    problem = "wrong native call: " + call + effect;
    note("PROBLEM: " + problem);
  }

  @Nullable String problem() {
    return problem;
  }

  /** Returns the exception that is the first problem; null if it is none. */
  @Nullable Throwable cause() {
    return cause;
  }

  /** Permits log lines that contain this text. */
  void expectLog(String text) {
    expectedLog.add(text);
  }

  /** Permits the log lines of failed contexts and engines, which a calm run does not have. */
  void expectFailures() {
    expectsFailures = true;
  }

  /** Returns whether the run or a fault explains the log line. */
  boolean explains(String line) {
    return (expectsFailures && ExpectedLog.matches(line))
        || expectedLog.stream().anyMatch(line::contains);
  }

  Map<String, Integer> reached() {
    return reached;
  }
}
