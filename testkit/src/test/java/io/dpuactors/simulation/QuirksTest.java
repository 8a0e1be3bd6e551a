package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;

/** Tests the random quirks. */
class QuirksTest {
  /** Returns the first seed whose quirks contain a name, or that has none if the name is empty. */
  private static long seed(String name) {
    return LongStream.rangeClosed(1, 1_000)
        .filter(seed -> name.isEmpty() ? Quirks.draw(seed).isEmpty() : has(seed, name))
        .findFirst()
        .orElseThrow();
  }

  private static boolean has(long seed, String name) {
    return Quirks.draw(seed).contains(name);
  }

  @Test
  void aQuarterOfTheSeedsHasQuirksAndEachNameOccurs() {
    List<List<String>> drawn =
        LongStream.rangeClosed(1, 1_000)
            .mapToObj(Quirks::draw)
            .filter(one -> !one.isEmpty())
            .toList();
    assertThat(drawn).hasSizeBetween(200, 300);
    assertThat(drawn.stream().flatMap(List::stream)).containsAll(Quirks.NAMES);
  }

  @Test
  void aRunHasTheQuirksOfItsSeedUnlessTheyAreDropped() {
    long quirky = seed("Q14");
    Reduction without = Reduction.NONE.without(Quirks.NUMBER);
    try (Simulator simulator = Simulator.create()) {
      assertThat(reached(simulator, seed(""), Reduction.NONE)).isEmpty();
      List<String> names = Quirks.draw(quirky).stream().map(name -> "quirk " + name).toList();
      assertThat(reached(simulator, quirky, Reduction.NONE))
          .containsExactlyInAnyOrderElementsOf(names);
      assertThat(reached(simulator, quirky, without)).isEmpty();
    }
  }

  private static List<String> reached(Simulator simulator, long seed, Reduction reduction) {
    Map<String, Integer> reached = simulator.run("dma", seed, reduction, null).reached();
    return reached.keySet().stream().filter(name -> name.startsWith("quirk ")).toList();
  }

  /** Under Q5, the device refuses the first block for each posted buffer. */
  @Test
  void theDeviceOfARunHasItsQuirks() {
    Reduction usual = Reduction.NONE.without(Quirks.NUMBER);
    List<Boolean> changed = new ArrayList<>();
    try (Simulator simulator = Simulator.create()) {
      for (long seed = 1; seed <= 40; seed++) {
        if (has(seed, "Q5")) {
          Outcome quirky = simulator.run("comch", seed, Reduction.NONE, null);
          assertThat(simulator.run("comch", seed, Reduction.NONE, null)).isEqualTo(quirky);
          long steps = simulator.run("comch", seed, usual, null).steps();
          changed.add(quirky.steps() != steps);
        }
      }
    }
    assertThat(changed).contains(true);
  }

  /** A user's run may have the seed of a scenario, and its device has no quirk. */
  @Test
  void aProgramOfAUserHasNoQuirks() {
    List<Integer> cases = new ArrayList<>();
    try (Simulator simulator = Simulator.create()) {
      Outcome outcome =
          simulator.require(ProgramScenario.of("", system -> cases.add(1)), seed("Q14"), null);
      assertThat(outcome.reached()).isEmpty();
    }
    assertThat(cases).hasSize(1);
  }

  /** Under Q14, the stop of a DMA context takes another turn. */
  @Test
  void aProgramOfAUserEnablesQuirksOfItsRun() {
    List<Boolean> changed = new ArrayList<>();
    try (Simulator simulator = Simulator.create()) {
      for (long seed = 1; seed <= 10; seed++) {
        Outcome usual = simulator.require(ofQuirks(""), seed, null);
        Outcome quirky = simulator.require(ofQuirks("Q14"), seed, null);
        assertThat(simulator.require(ofQuirks(""), seed, null)).isEqualTo(usual);
        changed.add(quirky.steps() != usual.steps());
      }
    }
    assertThat(changed).contains(true);
  }

  private static ProgramScenario ofQuirks(String quirks) {
    return ProgramScenario.of(
        "",
        system -> {
          system.quirks(quirks);
          ActorRef<EngineProtocol.Command> engine = system.engine("one");
          DmaProtocol.OpenReply opened =
              system.ask(engine, me -> new OpenDma("dma", TaskOptions.defaults(), me));
          ActorRef<Object> dma = ((DmaProtocol.Opened) opened).context().unsafeUpcast();
          Stopped stopped = system.<Object, Stopped>ask(dma, Stop::new);
          assertThat(stopped.clean()).isTrue();
        });
  }
}
