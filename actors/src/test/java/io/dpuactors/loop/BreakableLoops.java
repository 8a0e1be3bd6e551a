package io.dpuactors.loop;

import com.typesafe.config.Config;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/** Creates dispatchers whose device a test can break: {@link #breakTurns}, {@link #breakWaits}. */
public final class BreakableLoops extends ExecutorServiceConfigurator {
  /** configuration that replaces the executor of the engines' dispatcher */
  public static final String CONFIG =
      "dpu.engine-dispatcher.executor = \"%s\"\n".formatted(BreakableLoops.class.getName());

  private static final Map<String, AtomicInteger> TURNS = new ConcurrentHashMap<>();
  private static final Map<String, AtomicInteger> WAITS = new ConcurrentHashMap<>();

  private final EngineSettings settings;

  /** Pekko calls this constructor by reflection. */
  public BreakableLoops(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    settings = EngineSettings.from(prerequisites.settings().config());
    TURNS.clear();
    WAITS.clear();
  }

  /** Makes the next {@code count} turns of an engine's device fail. */
  public static void breakTurns(String engine, int count) {
    TURNS.put(id(engine), new AtomicInteger(count));
  }

  /** Makes the next {@code count} waits of an engine's device fail. */
  public static void breakWaits(String engine, int count) {
    WAITS.put(id(engine), new AtomicInteger(count));
  }

  private static String id(String engine) {
    return "dpu-engine-" + engine;
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(
      String id, ThreadFactory threadFactory) {
    return () -> {
      EngineLoop loop = new BreakableLoop(id, settings);
      new Thread(loop::run, id).start();
      return loop;
    };
  }

  private static void check(Map<String, AtomicInteger> planned, String loop) {
    AtomicInteger failures = planned.get(loop);
    if (failures != null && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("broken on purpose");
    }
  }

  private static final class BreakableLoop extends EngineLoop {
    BreakableLoop(String name, EngineSettings settings) {
      super(name, settings, System::nanoTime);
    }

    @Override
    public void attach(LoopDevice device, Consumer<Throwable> owner) {
      String loop = toString();
      super.attach(
          new FallibleDevice(
              device,
              () -> check(TURNS, loop),
              timeoutNs -> {
                check(WAITS, loop);
                device.await(timeoutNs);
              }),
          owner);
    }
  }
}
