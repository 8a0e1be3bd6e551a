package io.dpuactors.bridge.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs parts of a test on other threads, and returns the first exception. */
final class OnThread {
  private static final long LIMIT_MS = TimeUnit.SECONDS.toMillis(30);

  interface Action {
    void run() throws Exception;
  }

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

  OnThread start(String name, Action action) {
    Thread thread = new Thread(() -> record(action), name);
    threads.add(thread);
    thread.start();
    return this;
  }

  private void record(Action action) {
    try {
      action.run();
    } catch (Exception | AssertionError e) {
      thrown.compareAndSet(null, e);
    }
  }

  /** Waits at most 30 s for each thread, and returns the first exception. */
  @Nullable Throwable join() {
    for (Thread thread : threads) {
      try {
        thread.join(LIMIT_MS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (thread.isAlive()) {
        throw new AssertionError(thread.getName() + " does not end");
      }
    }
    return thrown.get();
  }

  static @Nullable Throwable run(String name, Action action) {
    return new OnThread().start(name, action).join();
  }
}
