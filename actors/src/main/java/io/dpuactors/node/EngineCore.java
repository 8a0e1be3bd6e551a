package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.bridge.internal.SubmissionRing;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.loop.EngineLog;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.loop.LoopDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The native resources of an engine, and the work of its loop in each turn.
 *
 * <pre>
 *   turn:  one native call        submit entries, doca_pe_progress, collect records
 *          records                to the lanes (tasks) and nodes (states) of their user data
 *          nodes with work        deadlines, the next step of start and stop
 * </pre>
 *
 * <p>All methods but {@link #wake()} run on the engine's thread.
 */
public final class EngineCore implements LoopDevice {
  private final ProgressEngine engine;
  private final EngineSettings settings;
  private final LongSupplier clock;
  private final TaskTable tasks;
  private final EngineNodes nodes = new EngineNodes();
  private final EngineDevices devices;
  private final EnginePools pools;
  private final RecordDelivery delivery;
  private final Outbox outbox;
  private final Outbox immediates = new Outbox(SubmissionRing.MAX_IMMEDIATE_BYTES);
  private final LateFailure lateFailure = new LateFailure();
  private final ActorMoments moments = new ActorMoments();
  private String name = "";
  private boolean isLooped;
  private long iterationNs;
  private boolean closed;

  private EngineCore(ProgressEngine engine, EngineSettings settings, LongSupplier clock) {
    this.engine = engine;
    this.settings = settings;
    this.clock = clock;
    this.devices = new EngineDevices(engine);
    this.pools = new EnginePools(engine);
    this.tasks = new TaskTable(settings.taskSlots());
    this.delivery = new RecordDelivery(nodes, tasks, this::log);
    this.outbox = new Outbox(settings.messageBytes());
  }

  /**
   * Creates the progress engine. The calling thread becomes its owner.
   *
   * @param clock nanoseconds; {@link System#nanoTime()} outside of tests
   * @throws DocaException naming the call that failed
   */
  public static EngineCore open(DocaLibrary library, EngineSettings settings, LongSupplier clock) {
    return new EngineCore(
        ProgressEngine.create(
            library,
            settings.submissionRing(),
            settings.completionRing(),
            settings.messageCells(),
            settings.messageBytes()),
        settings,
        clock);
  }

  /** Sets the name of the engine in log lines. */
  public void name(String engineName) {
    name = engineName;
  }

  /** Returns a log with the name of the engine. */
  public EngineLog log(Supplier<Logger> logger) {
    return EngineLog.of(logger, name);
  }

  @Override
  public void begin(long nowNs) {
    isLooped = true;
    iterationNs = nowNs;
  }

  @Override
  public int turn(long nowNs, long pollNs) {
    lateFailure.report();
    boolean polls = pollNs > 0 && !nodes.agenda().isDue(nowNs);
    if (polls) {
      engine.enterAndPoll(settings.progressBudget(), pollNs);
    } else {
      engine.enter(settings.progressBudget());
    }
    int records = engine.completions().drain(delivery::deliver, settings.completionRing());
    int moved = nodes.agenda().run(nowNs) + pools.turn();
    boolean toSubmit = engine.submissions().free() < settings.submissionRing();
    // A node that is due counts as work, so that the loop does not become idle.
    return records + moved + (toSubmit || nodes.agenda().isDue(nowNs) ? 1 : 0);
  }

  @Override
  public boolean isAtRest() {
    return nodes.agenda().isEmpty() && pools.isAtRest() && !isRetrying();
  }

  @Override
  public void await(long timeoutNs) {
    long mostNs = Math.max(timeoutNs, settings.idleParkMaxNs());
    engine.await(untilDueNs(mostNs), timeoutNs, settings.spinNs(), settings.progressBudget());
  }

  @Override
  public long untilDueNs(long mostNs) {
    long retryNs = engine.retryNs();
    long boundNs = retryNs == 0 ? mostNs : Math.min(mostNs, retryNs);
    return nodes.agenda().isEmpty() ? boundNs : nodes.agenda().untilDue(nowNs(), boundNs);
  }

  /** Returns whether the bridge holds tasks that DOCA refuses, and submits them again. */
  boolean isRetrying() {
    return engine.retryNs() > 0;
  }

  @Override
  public void wake() {
    engine.wake();
  }

  /** Returns the loop's clock, nanoseconds. */
  public long nowNs() {
    return clock.getAsLong();
  }

  /**
   * Returns the start time of the current loop iteration, as the arrival time of requests. A clock
   * read per request would be a large part of the cost of small tasks.
   */
  long arrivalNs() {
    return isLooped ? iterationNs : nowNs();
  }

  /** Returns the settings of the engine. */
  public EngineSettings settings() {
    return settings;
  }

  TaskTable tasks() {
    return tasks;
  }

  /** Refuses more tasks in flight than this engine has slots, with a {@code DocaException}. */
  public void checkTasks(String context, long count) {
    tasks.checkPossible(context, count);
  }

  /** Returns the memory of messages in flight. */
  Outbox outbox() {
    return outbox;
  }

  /** Returns the memory of immediate data in flight. */
  Outbox immediates() {
    return immediates;
  }

  /**
   * Submits the entries of the submission ring to the bridge. Callable at any time, also while
   * records are processed. The next turn reports a failure, because it is not the calling node's
   * failure.
   */
  void submit() {
    lateFailure.keepOf(
        () -> {
          moments.pass(ActorMoment.SUBMIT);
          engine.enter(0);
        });
  }

  SubmissionRing submissions() {
    return engine.submissions();
  }

  /** Returns the progress engine, for creating native contexts. */
  public ProgressEngine progressEngine() {
    return engine;
  }

  /**
   * Adds a context. It opens when its predecessor of the same name is gone and the delay has
   * passed.
   *
   * @param name unique among the live contexts of this engine
   * @param load load of the context
   * @param delayNs back-off before the first attempt, nanoseconds
   */
  public <L extends ContextLoad> ContextNode<L> openContext(
      String name,
      L load,
      ContextTimes times,
      ContextOpener opener,
      ContextOwner owner,
      long delayNs) {
    return nodes.add(
        new ContextNode<>(
            this, name, nodes.nextId(), load, times, opener, owner, nowNs() + delayNs));
  }

  EngineNodes nodes() {
    return nodes;
  }

  /** Returns the interval between two checks of a lost node, nanoseconds. */
  long recheckNs() {
    return settings.idleParkNs();
  }

  /** Returns the moments in the lives of the engine's actors. */
  public ActorMoments moments() {
    return moments;
  }

  /** Returns the open devices. */
  public EngineDevices devices() {
    return devices;
  }

  /** Returns the registered and imported memory. */
  public EnginePools pools() {
    return pools;
  }

  /**
   * Returns whether all contexts are gone and all leases are returned. The engine can then close
   * without losses.
   */
  public boolean isVacant() {
    return nodes.isEmpty() && pools.areReturned();
  }

  /** Returns the number of tasks that hold a slot: in the bridge or on the device. */
  public int tasksInFlight() {
    return tasks.inUse();
  }

  /** Returns the number of completions for tasks that no longer exist. */
  public long lateRecords() {
    return delivery.late();
  }

  /**
   * Closes memory, devices and the progress engine, in this order. Objects in use stay open.
   *
   * @return description of the objects that stay open; null if there are none
   */
  public @Nullable String close() {
    if (closed) {
      return null;
    }
    closed = true;
    List<String> left = new ArrayList<>();
    DocaError reason =
        DocaError.of("engine", DocaCode.SHUTDOWN, "the engine ended before the request was done");
    nodes.failRequests(reason, left);
    pools.closeAll(!nodes.isEmpty(), left);
    devices.closeAll(left);
    if (!engine.census().isEmpty()) {
      left.add("census: " + engine.census());
    }
    attempt(engine::close, left);
    return left.isEmpty() ? null : String.join("; ", left);
  }

  static void attempt(Runnable close, List<String> left) {
    try {
      close.run();
    } catch (RuntimeException e) {
      left.add(String.valueOf(e.getMessage()));
    }
  }

  /** Returns whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends every context and connection at once. The following turns destroy them. */
  public void closeNodes() {
    nodes.close();
  }
}
