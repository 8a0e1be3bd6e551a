package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.loop.ManualLoop;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread with a virtual clock. The world runs the mailboxes of actor systems, and the loops of
 * their engines, in an order drawn from a seed. Time passes a little with each step, and jumps to
 * the next timer when there is no other work.
 *
 * <pre>
 *   step:  one mailbox of a dispatcher, or one iteration of an engine's loop, drawn from the seed
 *          no work?  advance the clock to the next timer, deadline, or completion of the device
 * </pre>
 *
 * <p>The software DPU executes tasks inline, on the same clock and seed. The software DPU's own
 * thread only wakes sleeping programs, and a world never sleeps. A task of another thread fails the
 * run. A wait that blocks the thread is not simulated.
 */
final class World implements ManualLoop.Owner {
  private static final ThreadLocal<World> CURRENT = new ThreadLocal<>();

  /**
   * Several parts of batches may be due at one time, and an iteration may complete one of them: the
   * due time does not change, and nothing else shows the progress.
   */
  private static final int MAX_SAME_DUE = 1_000;

  private final Thread owner = Thread.currentThread();
  private final VirtualTime time = new VirtualTime();
  private final HostClocks clocks = new HostClocks(time);
  private final DeviceTime device;
  private final ReadyTasks ready = new ReadyTasks();
  private final WorldLoops loops;
  private final WorldControl control = new WorldControl(time, clocks, this::killHost);
  private SplittableRandom random = new SplittableRandom(0);
  private Pace pace = Pace.NONE;
  private Trace trace;
  private boolean isRunning;

  /** Changes when a loop may find something new on its device. */
  private long news;

  /** Number of iterations in a row without a change. */
  private int sameDue;

  private volatile @Nullable String wrongThread;

  World(SoftDpu device) {
    this.device = new DeviceTime(device);
    this.loops = new WorldLoops(device, clocks);
    this.trace = new Trace(null, this.device);
    CURRENT.set(this);
  }

  /** Returns the world of the calling thread. */
  static World current() {
    World world = CURRENT.get();
    if (world == null) {
      throw new IllegalStateException(
          "thread " + Thread.currentThread().getName() + " has no simulated world");
    }
    return world;
  }

  /** Returns the world that the calling thread runs now; null between runs and without a world. */
  static @Nullable World running() {
    World world = CURRENT.get();
    return world == null || !world.isRunning ? null : world;
  }

  /** The calling thread has no world any more. */
  static void leave() {
    CURRENT.remove();
  }

  /** Begins a run at time 0. The software DPU restarts with the seed. */
  void begin(long seed, @Nullable Consumer<TraceStep> reader) {
    resume();
    random = new SplittableRandom(seed);
    JdkFields.seedThreadRandom(random.nextLong());
    time.reset();
    clocks.begin(seed);
    device.begin(random.nextLong(), reader != null);
    news = 0;
    sameDue = 0;
    control.reset();
    pace = Pace.draw(random);
    trace = new Trace(reader, device);
    wrongThread = null;
  }

  /** Asynchronous stages of the thread run in the world again. */
  void resume() {
    isRunning = true;
  }

  /** Ends a run: time passes only by jumps, nothing is traced, and the thread leaves the world. */
  void end() {
    isRunning = false;
    pace = Pace.NONE;
    trace = new Trace(null, device);
  }

  VirtualTime time() {
    return time;
  }

  /** Returns the clocks of the hosts. */
  HostClocks clocks() {
    return clocks;
  }

  Pace pace() {
    return pace;
  }

  /** Returns the control that disturbs the world. */
  WorldControl control() {
    return control;
  }

  Trace trace() {
    return trace;
  }

  /** Returns the random numbers of the run. */
  SplittableRandom random() {
    return random;
  }

  /** Returns the first use by another thread; null if there was none. */
  @Nullable String wrongThread() {
    return wrongThread;
  }

  /** Refuses the use by another thread, which also fails the run. */
  void checkThread(String what) {
    Thread caller = Thread.currentThread();
    if (caller != owner) {
      wrongThread = "thread " + caller.getName() + " enqueued " + what;
      throw new IllegalStateException(wrongThread + "; only " + owner.getName() + " may");
    }
  }

  void enqueue(String dispatcher, Runnable task) {
    ready.add(new ReadyTasks.Task(dispatcher, task));
  }

  /** Runs a task inside a step of a loop. */
  void runInLoop(String dispatcher, Runnable task) {
    trace.task(dispatcher, task, time.nowNs());
    time.run(dispatcher, task);
    trace.enter(dispatcher, time.nowNs());
    elapse();
  }

  ManualLoop addLoop(String name, EngineSettings settings) {
    ManualLoop loop = new ManualLoop(name, settings, clocks.of(name), this);
    loops.add(loop);
    return loop;
  }

  /**
   * Does one step.
   *
   * @param untilNs the clock does not jump beyond this time
   * @return false if nothing happens until then
   */
  boolean step(long untilNs) {
    return runOne() || toNext(untilNs);
  }

  /** Runs one task or one iteration of a loop. Returns false if there is none. */
  boolean runOne() {
    if (device.hasBecomeDue(time.nowNs())) {
      news++;
    }
    List<WorldLoop> runnable = loops.runnable(news, time.nowNs());
    int choices = ready.size() + runnable.size();
    if (choices == 0) {
      return false;
    }
    int choice = random.nextInt(choices);
    if (choice < ready.size()) {
      run(ready.take(choice));
    } else {
      iterate(runnable.get(choice - ready.size()));
    }
    elapse();
    return true;
  }

  private void run(ReadyTasks.Task task) {
    trace.task(task.dispatcher(), task.runnable(), time.nowNs());
    time.run("", task.runnable());
  }

  private void iterate(WorldLoop loop) {
    trace.enter(loop.loop().toString(), time.nowNs());
    long beforeNs = device.dueNs();
    device.beginTurn();
    boolean worked = loop.run(news, time.nowNs());
    device.endTurn();
    trace.loop(loop.loop(), worked, time.nowNs());
    // A part of a batch has no record, but the engine of the peer may find its data.
    boolean hasChanged = worked || device.dueNs() != beforeNs;
    sameDue = hasChanged ? 0 : sameDue + 1;
    if (hasChanged || (beforeNs <= time.nowNs() && sameDue < MAX_SAME_DUE)) {
      news++;
    }
    if (loop.hasEnded()) {
      loops.remove(loop);
    }
  }

  /** Stops the clock and the timers of a host. Its peers may find the end of its links. */
  private void killHost(String loop) {
    device.catchUp();
    if (loops.kill(loop, time.nowNs())) {
      time.hold(loop, WorldLoop.DEATH_NS);
      device.called();
      news++;
    }
  }

  private void elapse() {
    control.afterStep();
    long ns = pace.drawNs(random) + control.takeJumpNs();
    if (ns > 0) {
      advanceTo(time.nowNs() + ns);
    }
  }

  private boolean toNext(long untilNs) {
    long next = Math.min(Math.min(time.nextNs(), device.nextNs(time.nowNs())), loops.dueNs());
    if (next == Long.MAX_VALUE || next > untilNs) {
      return false;
    }
    advanceTo(next);
    return true;
  }

  /** Lets the clock reach a time until which nothing is due. */
  void pass(long untilNs) {
    if (untilNs > time.nowNs()) {
      advanceTo(untilNs);
    }
  }

  private void advanceTo(long thenNs) {
    device.advance(thenNs - time.nowNs());
    time.advanceTo(thenNs);
  }

  @Override
  public void beforeTurn(ManualLoop loop) {
    control.beforeTurn();
  }

  @Override
  public void beforeWait(ManualLoop loop) {
    control.beforeWait();
  }

  @Override
  public void at(ManualLoop loop, ActorMoment moment) {
    control.at(moment);
  }

  @Override
  public void await(ManualLoop loop, long timeoutNs) {
    long untilNs = time.nowNs() + timeoutNs;
    int host = device.leaveTurn();
    control.begin();
    try {
      if (!step(untilNs)) {
        advanceTo(untilNs);
      }
    } finally {
      control.end();
      device.enterTurn(host);
      trace.enter(loop.toString(), time.nowNs());
    }
  }
}
