package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** All scenarios by name. */
final class Scenarios {
  static final Map<String, Supplier<Scenario>> ALL = all();

  private Scenarios() {}

  private static Map<String, Supplier<Scenario>> all() {
    Map<String, Supplier<Scenario>> all = new LinkedHashMap<>();
    for (TaskLibrary library : TaskLibrary.values()) {
      all.put(library.shortName(), () -> new TaskScenario(library));
    }
    all.put("group", GroupScenario::new);
    all.put("comch", ComchScenario::new);
    return all;
  }
}
