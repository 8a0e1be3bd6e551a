package io.dpuactors.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** All scenarios by name. */
final class Scenarios {
  static final Map<String, Supplier<Scenario>> ALL = all();

  private Scenarios() {}

  private static Map<String, Supplier<Scenario>> all() {
    Map<String, Supplier<Scenario>> all = new LinkedHashMap<>();
    for (TaskModel model : TaskModel.ALL) {
      all.put(model.name(), () -> new TaskScenario(model));
    }
    all.put("comch", ComchScenario::new);
    return all;
  }
}
