package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The quirks of the software DPU in a run of a scenario. Quirks are observed behavior of real
 * devices, so all promises hold, those of calm runs too. World's thread.
 */
final class Quirks {
  /** The number that {@link Reduction} drops all quirks by. */
  static final int NUMBER = Disturbances.MOST + 1;

  /** All names except Q22, which is always active. */
  static final List<String> NAMES =
      List.of("Q1", "Q2", "Q3", "Q4", "Q5", "Q9", "Q10", "Q11", "Q14", "no-direct-copy");

  /** Percentage of runs that draw quirks. */
  private static final int RUNS = 25;

  /** Percentage of quirks in such a run. */
  private static final int EACH = 35;

  private Quirks() {}

  /** Sets the quirks of a run. Programs of users have none. */
  static void begin(Run run, SoftDpu device) {
    boolean isScenario = Scenarios.ALL.containsKey(run.scenario());
    boolean isDropped = run.reduction().dropped().contains(NUMBER);
    List<String> drawn = isScenario && !isDropped ? draw(run.seed()) : List.of();
    device.quirks(String.join(",", drawn));
    if (!drawn.isEmpty()) {
      run.note("quirks: " + drawn);
      drawn.forEach(name -> run.reached("quirk " + name));
    }
  }

  /** Takes no random numbers of the world: a run without quirks keeps its order. */
  static List<String> draw(long seed) {
    SplittableRandom random = new SplittableRandom(Long.reverse(seed));
    List<String> drawn = new ArrayList<>();
    if (random.nextInt(100) < RUNS) {
      for (String name : NAMES) {
        if (random.nextInt(100) < EACH) {
          drawn.add(name);
        }
      }
    }
    return drawn;
  }
}
