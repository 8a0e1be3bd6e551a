package io.dpuactors.loop;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop on one thread: it runs what {@link #execute} was given and, in between, the device.
 *
 * <pre>
 *   loop:  run up to N queued tasks          mailbox runs that Pekko hands over
 *          one turn of the device            submit + doca_pe_progress + deliver
 *          nothing to do?  park (the device looks, then sleeps; bounded) -> again
 * </pre>
 *
 * <p>A park ends after {@code idle-park} at the latest, whatever the device forgets to tell. While
 * the device is at rest each further one may last twice as long, up to {@code idle-park-max}, until
 * something happens. What is lost delays then by at most {@code idle-park} more than the time in
 * which nothing has happened.
 *
 * <p>The loop survives a task that throws, and a device that fails: see {@link #attach}.
 *
 * <p>{@code execute} may be called from any thread. It wakes the loop through a gate, so that a
 * burst costs one system call; everything else belongs to the loop's thread.
 */
public class EngineLoop extends AbstractExecutorService {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);

  /**
   * A turn that has nothing to do looks at the device for so long inside its native call: each way
   * back to Java is a time in which nobody looks. What other threads send waits for it.
   */
  private static final long LOOK_NS = 3_000;

  private final String name;
  private final EngineSettings settings;
  private final LongSupplier clock;
  private final TaskQueue queue = new TaskQueue();
  private final AtomicBoolean parked = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private final LoopCounters counters = new LoopCounters();
  private final TurnAccount turns;
  private volatile @Nullable Thread thread;
  private volatile @Nullable DrivenDevice device;
  private volatile boolean shutdown;
  private boolean isIdle;

  /** A loop that the caller steps; {@link #start} gives it a thread of its own instead. */
  EngineLoop(String name, EngineSettings settings, LongSupplier clock) {
    this.name = name;
    this.settings = settings;
    this.clock = clock;
    this.turns = new TurnAccount(name, settings.stallWarningNs(), clock, counters);
  }

  public static EngineLoop start(String name, EngineSettings settings) {
    EngineLoop loop = new EngineLoop(name, settings, System::nanoTime);
    new EngineThread(loop, name).start();
    return loop;
  }

  /**
   * The loop whose thread this is.
   *
   * @throws IllegalStateException on any other thread, naming it
   */
  public static EngineLoop current() {
    if (Thread.currentThread() instanceof EngineThread engineThread) {
      return engineThread.loop();
    }
    throw new IllegalStateException(
        "an engine must run on an engine dispatcher (use Engine.spawn), not on thread "
            + Thread.currentThread().getName());
  }

  /**
   * Puts a device under the loop; one at a time. Loop's thread.
   *
   * @param owner accepts the cause when a turn or a wait of the device fails four times in a row;
   *     the loop has then detached the device
   */
  public void attach(LoopDevice newDevice, Consumer<Throwable> owner) {
    checkThread("attach");
    if (device != null) {
      throw new IllegalStateException(
          "loop " + name + " already drives a device: one engine per dispatcher");
    }
    device =
        new DrivenDevice(
            name,
            newDevice,
            settings,
            counters,
            cause -> {
              device = null;
              owner.accept(cause);
            });
  }

  /** Takes the device away again. Loop's thread. */
  public void detach() {
    checkThread("detach");
    device = null;
  }

  /**
   * Does work that may rightly take long, such as loading libraries: its time is no part of a turn
   * that takes too long. Loop's thread.
   */
  public <T> T exempt(Supplier<T> work) {
    checkThread("exempt");
    return turns.exempt(work);
  }

  CurrentTurn turn() {
    return turns.current();
  }

  @Nullable Thread thread() {
    return thread;
  }

  public LoopCounters counters() {
    return counters;
  }

  void run() {
    own();
    // Where one iteration ends, the next begins: the clock is asked once for both.
    long nowNs = clock.getAsLong();
    StallWatch.add(this, settings.stallWarningNs());
    try {
      while (!(shutdown && queue.isEmpty())) {
        nowNs = iterate(nowNs);
      }
    } finally {
      end();
    }
  }

  /** Runs what came while the loop was ending; what comes later is refused. */
  private void end() {
    shutdown = true;
    StallWatch.remove(this);
    queue.end().forEach(this::runOne);
    terminated.countDown();
  }

  /**
   * One iteration. Returns whether anything was done. The first thread that steps owns the loop.
   */
  boolean step() {
    own();
    iterate(clock.getAsLong());
    return !isIdle;
  }

  private void own() {
    if (thread == null) {
      thread = Thread.currentThread();
    }
    checkThread("step");
  }

  /** Returns when it ended. */
  private long iterate(long began) {
    turns.begin(began);
    DrivenDevice current = device;
    if (current != null) {
      current.begin(began);
    }
    int ran = runQueued();
    int events = turnDevice(began, ran == 0 && settings.idle() == IdleMode.BUSY ? LOOK_NS : 0);
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
      Runnable task = queue.poll();
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
    } catch (RuntimeException | Error e) {
      // A mailbox handles its actor's failures itself: what arrives here must not end the engine
      // with it.
      LOG.error("{}: a task failed outside of any actor", name, e);
    }
  }

  /**
   * Runs tasks that wait, as many as one iteration runs. For a task that waits for what other tasks
   * do, and must not return before: each call ends a turn and begins another. Loop's thread.
   *
   * @return number of tasks that ran
   */
  public int runWaiting() {
    checkThread("runWaiting");
    turns.split();
    return runQueued();
  }

  private int turnDevice(long nowNs, long lookNs) {
    DrivenDevice current = device;
    return current == null ? 0 : current.turn(nowNs, lookNs);
  }

  /** Nothing is to be done at the moment. Returns the time. */
  private long idle(long nowNs) {
    DrivenDevice current = device;
    if (!isIdle && current != null) {
      current.beginRest();
    }
    isIdle = true;
    if (settings.idle() == IdleMode.BUSY) {
      Thread.onSpinWait();
      return nowNs;
    }
    park(nowNs);
    return clock.getAsLong();
  }

  private void park(long nowNs) {
    parked.set(true);
    // Whoever enqueues after this line sees the flag and wakes us; what was enqueued before is seen
    // here.
    if (queue.isEmpty() && !shutdown) {
      counters.parks++;
      turns.current().rest();
      DrivenDevice current = device;
      if (current == null) {
        LockSupport.parkNanos(this, settings.idleParkNs());
      } else {
        current.await(nowNs);
      }
    }
    parked.set(false);
  }

  private void wake() {
    // Only the first of a burst finds the gate closed and pays for the system call.
    if (parked.get() && parked.compareAndSet(true, false)) {
      DrivenDevice current = device;
      if (current == null) {
        LockSupport.unpark(thread);
      } else {
        current.wake(thread);
      }
    }
  }

  private void checkThread(String operation) {
    Thread owner = thread;
    if (owner != Thread.currentThread()) {
      throw new IllegalStateException(
          operation
              + " of loop "
              + name
              + " called on thread "
              + Thread.currentThread().getName()
              + "; only thread "
              + (owner == null ? "(none yet)" : owner.getName())
              + " may");
    }
  }

  @Override
  public void execute(Runnable task) {
    if (shutdown) {
      throw refusal();
    }
    if (Thread.currentThread() == thread) {
      queue.add(task);
      return;
    }
    if (!queue.offer(task)) {
      throw refusal();
    }
    wake();
  }

  private RejectedExecutionException refusal() {
    return new RejectedExecutionException("engine loop " + name + " was shut down");
  }

  @Override
  public void shutdown() {
    shutdown = true;
    wake();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    // Only the loop's thread may take from the queue; on any other the tasks simply run to their
    // end.
    return Thread.currentThread() == thread ? queue.drain() : List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }

  @Override
  public String toString() {
    return name;
  }
}
