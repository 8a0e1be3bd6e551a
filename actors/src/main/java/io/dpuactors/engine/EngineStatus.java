package io.dpuactors.engine;

import io.dpuactors.bridge.internal.Counter;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.EngineProtocol.Status;
import java.util.Locale;
import java.util.Map;

/** Collects the {@link Status} of an engine. Engine's thread. */
final class EngineStatus {
  private EngineStatus() {}

  /** Returns a snapshot of the engine and its loop. */
  static Status of(EngineCore core, EngineLoop loop) {
    ProgressEngine engine = core.progressEngine();
    Map<String, Long> counters = loop.counters().snapshot();
    counters.put("late-records", core.lateRecords());
    for (Counter counter : Counter.values()) {
      counters.put("bridge-" + counter.name().toLowerCase(Locale.ROOT), engine.counter(counter));
    }
    return new Status(
        engine.library().name(), engine.census().snapshot(), core.tasksInFlight(), counters);
  }
}
