package io.dpuactors.loop;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop on one thread. The loop runs the tasks of {@link #execute} and, between them, the
 * device.
 *
 * <pre>
 *   loop:  run up to N queued tasks          mailbox runs that Pekko submits
 *          one turn of the device            submit + doca_pe_progress + deliver
 *          no work?  park (the device polls, then sleeps; bounded) -> again
 * </pre>
 *
 * <p>A park ends after {@code idle-park} at the latest, even if the device misses a wake-up. While
 * the device is at rest, each further park may last twice as long, up to {@code idle-park-max}. The
 * next event resets the duration. A lost wake-up therefore delays work by at most {@code idle-park}
 * plus the preceding idle time.
 *
 * <p>The loop survives a task that throws and a device that fails: see {@link #attach}.
 *
 * <p>Any thread may call {@code execute}. The call wakes only a parked loop, so that a burst costs
 * one system call. All other methods belong to the loop's thread.
 */
public class EngineLoop extends LoopExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);

  /**
   * Time for which an idle turn polls the device inside one native call, nanoseconds. While Java
   * runs, nothing polls the device. Tasks from other threads wait for the end of the poll.
   */
  private static final long POLL_NS = 3_000;

  private static final ThreadLocal<EngineLoop> CURRENT = new ThreadLocal<>();

  private final String name;
  private EngineSettings settings;
  private final LongSupplier clock;
  private final LoopCounters counters = new LoopCounters();
  private final TurnAccount turns;
  private final DeviceSlot device;
  private boolean isIdle;

  /** Creates a loop that the caller steps. {@link #start} runs a loop on a new thread instead. */
  EngineLoop(String name, EngineSettings settings, LongSupplier clock) {
    super(name);
    this.name = name;
    this.settings = settings;
    this.clock = clock;
    this.device = new DeviceSlot(name, counters, clock);
    this.turns = new TurnAccount(name, settings.stallWarningNs(), clock, counters);
  }

  public static EngineLoop start(String name, EngineSettings settings) {
    EngineLoop loop = new EngineLoop(name, settings, System::nanoTime);
    new Thread(loop::run, name).start();
    return loop;
  }

  /**
   * Returns the loop that runs on the current thread.
   *
   * @throws IllegalStateException on any other thread, naming it
   */
  public static EngineLoop current() {
    EngineLoop loop = CURRENT.get();
    if (loop != null) {
      return loop;
    }
    throw new IllegalStateException(
        "an engine must run on an engine dispatcher (use Engine.spawn), not on thread "
            + Thread.currentThread().getName());
  }

  /** Makes this loop the current one of its thread until {@link #leave}. Loop's thread. */
  final void enter() {
    CURRENT.set(this);
  }

  /** Ends {@link #enter}. Loop's thread. */
  final void leave() {
    CURRENT.remove();
  }

  /** Returns the clock of the loop and its device, nanoseconds. */
  public final LongSupplier clock() {
    return clock;
  }

  /** Replaces the settings of the loop by those of the engine. Loop's thread. */
  public void configure(EngineSettings engine) {
    checkThread("configure");
    settings = engine;
    turns.stallWarning(engine.stallWarningNs());
    watch(engine.stallWarningNs());
  }

  /** Reports turns that last longer than this time, while they last. */
  void watch(long stallNs) {
    StallWatch.add(this, stallNs);
  }

  /**
   * Sets name, CPU and priority of the loop's thread. Call this method after the libraries are
   * loaded, because their threads inherit CPU and priority. Loop's thread.
   *
   * @throws IllegalArgumentException if Linux refuses the CPU or the priority
   */
  public void schedule(ThreadSettings ofThread) {
    checkThread("schedule");
    ofThread.apply(name);
  }

  /**
   * Attaches a device to the loop; one at a time. Loop's thread.
   *
   * @param owner accepts the cause when a turn or a wait of the device fails four times in a row.
   *     The loop has then detached the device
   */
  public void attach(LoopDevice newDevice, Consumer<Throwable> owner) {
    checkThread("attach");
    device.attach(newDevice, settings, owner);
  }

  /** Detaches the device. Loop's thread. */
  public void detach() {
    checkThread("detach");
    device.detach();
  }

  /** Handles a moment in the life of an actor of the engine. Loop's thread. */
  public void pass(ActorMoment moment) {}

  /** Does long work, such as loading libraries, that causes no stall warning. Loop's thread. */
  public <T> T exempt(Supplier<T> work) {
    checkThread("exempt");
    return turns.exempt(work);
  }

  /**
   * Returns the time until the loop must run an iteration, unless a task or an event of the device
   * arrives before. {@code Long.MAX_VALUE}: no iteration is due.
   */
  final long untilDueNs(long nowNs) {
    return device.untilDueNs(nowNs);
  }

  /** Returns the name of the loop's engine, as {@link EngineLog#ENGINE} has it. */
  public String engine() {
    return EngineLog.engine(name);
  }

  CurrentTurn turn() {
    return turns.current();
  }

  public LoopCounters counters() {
    return counters;
  }

  void run() {
    own("run");
    enter();
    // Each iteration ends when the next begins: one clock read serves both.
    long nowNs = clock.getAsLong();
    try {
      runOne(() -> watch(settings.stallWarningNs())); // a loop without stall reports can run
      while (!isOver()) {
        nowNs = iterate(nowNs);
      }
    } finally {
      end();
    }
  }

  /** Runs the tasks that arrived while the loop was ending. Later tasks are refused. */
  void end() {
    List<Runnable> rest = endQueue();
    StallWatch.remove(this);
    rest.forEach(this::runOne);
    terminated();
  }

  /**
   * Runs one iteration. Returns whether it did any work. The first thread that steps owns the loop.
   */
  boolean step() {
    own("step");
    iterate(clock.getAsLong());
    return !isIdle;
  }

  /** Runs one iteration. Returns the time when it ended. */
  private long iterate(long began) {
    turns.begin(began);
    device.begin(began);
    int ran = runQueued();
    int events = device.turn(began, ran == 0 && settings.idle() == IdleMode.BUSY ? POLL_NS : 0);
    long ended = clock.getAsLong();
    turns.end(ended, ran, events);
    if (ran + events > 0) {
      isIdle = false;
      return ended;
    }
    return idle(ended);
  }

  private int runQueued() {
    int ran = 0;
    while (ran < settings.maxMailboxRuns()) {
      Runnable task = poll();
      if (task == null) {
        break;
      }
      ran++;
      turns.current().run(task);
      runOne(task);
    }
    if (ran > 0) {
      turns.current().run(null);
    }
    return ran;
  }

  private void runOne(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // Scala's ControlThrowable is neither RuntimeException nor Error
      // A mailbox handles the failures of its actor. Any other failure must not end the engine.
      EngineLog.of(LOG, engine()).error("{}: a task failed outside of any actor", name, e);
    }
  }

  /**
   * Runs waiting tasks, at most as many as one iteration does. For a task that must not return
   * before other tasks have run. Each call ends a turn and begins another. Loop's thread.
   *
   * @return number of tasks that ran
   */
  public int runWaiting() {
    checkThread("runWaiting");
    turns.split();
    return runQueued();
  }

  /**
   * Waits for a device of this thread outside of the loop's iterations, as {@link
   * LoopDevice#await}. Loop's thread.
   */
  public void await(LoopDevice waited, long timeoutNs) {
    checkThread("await");
    waited.await(timeoutNs);
  }

  /** Sleeps outside of the loop's iterations. Loop's thread. */
  public void pause(long ns) {
    checkThread("pause");
    parkThread(ns);
  }

  /** Spins or parks, because this iteration did no work. Returns the time. */
  private long idle(long nowNs) {
    if (!isIdle) {
      device.beginRest();
    }
    isIdle = true;
    if (settings.idle() == IdleMode.BUSY) {
      Thread.onSpinWait();
      return nowNs;
    }
    park(nowNs);
    return clock.getAsLong();
  }

  @Override
  void sleep(long nowNs) {
    counters.parks++;
    turns.current().rest();
    parkThread(device.await(nowNs, settings.idleParkNs()));
  }

  /** Parks the loop's thread until {@link #unpark}, or for this time; 0: not. Loop's thread. */
  void parkThread(long ns) {
    LockSupport.parkNanos(this, ns);
  }

  @Override
  void unpark(@Nullable Thread owner) {
    device.wake(owner);
  }
}
