package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.simulation.Aim.Help;
import io.dpuactors.simulation.Cells.Cell;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that some runs aim at one fault or disturbance in one state of their program. */
class AimTest {
  /** More steps than an aim waits in a state. */
  private static final int STEPS = 100;

  private final SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
  private final TestInbox<Object> program = TestInbox.create();

  @AfterEach
  void clearFaults() {
    device.clearFaults();
  }

  private static Run run(String scenario, long seed, Integer... dropped) {
    Reduction reduction = new Reduction(Integer.MAX_VALUE, Set.of(dropped));
    return Runs.of(scenario, new StillControl(), seed, reduction);
  }

  /** Returns a run that aims at this cell. */
  private static Run aimed(String scenario, String state, String row, Integer... dropped) {
    return aimed(0, scenario, state, row, dropped);
  }

  /** Returns a run that aims at this cell after each cell has had this number of aims. */
  private static Run aimed(
      int rounds, String scenario, String state, String row, Integer... dropped) {
    List<Cell> cells = Cells.possible(scenario);
    int number = cells.indexOf(new Cell(state, row));
    assertThat(number).isNotNegative();
    long aims = (long) rounds * cells.size() + number;
    return run(scenario, aims * Aim.SEEDS + Aim.SEEDS - 1, dropped);
  }

  private Aim begun(Run run) {
    Aim aim = Objects.requireNonNull(Aim.of(run));
    aim.begin(program.getRef());
    return aim;
  }

  /** Returns the messages of the aim in some steps in one state. */
  private List<Object> steps(Aim aim, String place) {
    for (int i = 0; i < STEPS; i++) {
      aim.at(place);
    }
    return program.getAllReceived();
  }

  private int rules() {
    return device.firedRules().length;
  }

  @Test
  void theSeedsOfAScenarioTakeItsCellsInTurn() {
    for (String scenario : List.of("dma", "group", "comch", "rdma", "sync-event", "mixed")) {
      List<Cell> cells = new ArrayList<>();
      for (long seed = 1; seed <= (long) Aim.SEEDS * Cells.possible(scenario).size(); seed++) {
        Cell aimed = Aim.cell(run(scenario, seed));
        if (aimed != null) {
          cells.add(aimed);
        }
      }
      assertThat(cells).doesNotHaveDuplicates().isEqualTo(Cells.possible(scenario)).isNotEmpty();
    }
    assertThat(Cells.possible("services")).isEmpty();
    assertThat(Aim.of(run("services", Aim.SEEDS - 1))).isNull();
  }

  @Test
  void thePlanIsInForceInItsStateOnlyUntilTheFaultHasHappened() {
    Run run = aimed("dma", "busy", "corrupt");
    Aim aim = begun(run);
    aim.at("dma/opening");
    assertThat(rules()).isZero();
    aim.at("dma/busy");
    aim.at("dma/busy");
    assertThat(rules()).isEqualTo(1);
    aim.at("dma/idle");
    assertThat(rules()).isZero();
    aim.at("dma/busy");
    assertThat(rules()).isEqualTo(1);
    run.reached("dma/busy x corrupt");
    aim.at("dma/idle");
    aim.at("dma/busy");
    assertThat(rules()).isZero();
  }

  @Test
  void aProgramOpensObjectsInTheStateOfTheFault() {
    Aim aim = begun(aimed("comch", "connecting", "alloc-map"));
    assertThat(steps(aim, "comch/opening")).isEmpty();
    assertThat(steps(aim, "comch/connecting"))
        .first()
        .isEqualTo(new Help("alloc-map", 0, false, List.of()));
    assertThat(steps(aim, "comch/busy")).isEmpty();
  }

  @Test
  void aBusyProgramStopsForAFaultOfItsContexts() {
    Aim aim = begun(aimed("sha", "stopping", "ctx-event"));
    assertThat(steps(aim, "sha/idle")).isEmpty();
    assertThat(steps(aim, "sha/busy")).containsExactly(new Help("ctx-event", 0, true, List.of()));
    assertThat(rules()).isZero();
    aim.at("sha/stopping");
    assertThat(rules()).isEqualTo(1);
  }

  @Test
  void aRequestStopsTheEnginesForAFaultOfItsTask() {
    Run run = aimed("sha", "stopping", "lost");
    assertThat(Aim.stopsAtRequest(run, "sha")).isTrue();
    Aim aim = begun(run);
    assertThat(aim.isCalm()).isFalse();
    assertThat(steps(aim, "sha/busy")).isEmpty();
    aim.at("sha/stopping");
    assertThat(rules()).isEqualTo(1);
    assertThat(Aim.stopsAtRequest(aimed("sha", "busy", "lost"), "sha")).isFalse();
    assertThat(Aim.stopsAtRequest(aimed("sha", "stopping", "alloc-map"), "sha")).isFalse();
  }

  /** The other parts of a mixed program do not use the link. */
  @Test
  void aRequestOnALinkStopsTheEnginesForAFaultOfTheLink() {
    Run rdma = aimed("mixed", "stopping", "down");
    assertThat(Aim.stopsAtRequest(rdma, "rdma")).isTrue();
    assertThat(Aim.stopsAtRequest(rdma, "comch")).isFalse();
    Run comch = aimed("mixed", "stopping", "comch-link");
    assertThat(Aim.stopsAtRequest(comch, "comch")).isTrue();
    assertThat(Aim.stopsAtRequest(comch, "sync-event")).isFalse();
  }

  @Test
  void aDisturbanceWaitsForItsState() {
    Aim aim = begun(aimed("comch", "connecting", "FAIL_TURNS"));
    assertThat(steps(aim, "comch/opening")).isEmpty();
    assertThat(steps(aim, "comch/connecting"))
        .containsExactly(
            new Disturb(Disturbance.FAIL_TURNS, "", "connecting", Disturbances.MAX_WAITS));
    assertThat(steps(aim, "comch/connecting")).isEmpty();
  }

  @Test
  void mostDisturbancesOfAStopFollowItAtOnce() {
    Disturb disturb = new Disturb(Disturbance.KILL_ENGINE, "", "", 0);
    Set<List<Object>> messages = new HashSet<>();
    for (int rounds = 0; rounds < 20; rounds++) {
      Aim aim = begun(aimed(rounds, "dma", "stopping", "KILL_ENGINE"));
      List<Object> all = new ArrayList<>();
      for (String state : List.of("opening", "idle", "busy", "stopping", "ended")) {
        all.addAll(steps(aim, "dma/" + state));
      }
      messages.add(all);
    }
    assertThat(messages)
        .containsExactlyInAnyOrder(
            List.of(new Help("KILL_ENGINE", 0, true, List.of(disturb))),
            List.of(new Help("KILL_ENGINE", 0, true, List.of()), disturb));
  }

  @Test
  void aLateDisturbanceFollowsTheStop() {
    Aim aim = begun(aimed("rdma", "ended", "BREAK_ENGINE"));
    List<Object> early = new ArrayList<>();
    for (String state : List.of("opening", "connecting", "busy")) {
      early.addAll(steps(aim, "rdma/" + state));
    }
    assertThat(early).containsExactly(new Help("BREAK_ENGINE", 0, true, List.of()));
    assertThat(steps(aim, "rdma/stopping")).isEmpty();
    assertThat(steps(aim, "rdma/ended"))
        .containsExactly(new Disturb(Disturbance.BREAK_ENGINE, "", "", 0));
    assertThat(rules()).isZero();
  }

  /** The program then has nothing to stop. */
  @Test
  void aStopIsNotMissingIfTheProgramEndsBefore() {
    Aim aim = begun(aimed("rdma", "ended", "BREAK_ENGINE"));
    assertThat(steps(aim, "rdma/ended"))
        .containsExactly(
            new Help("BREAK_ENGINE", 0, true, List.of()),
            new Disturb(Disturbance.BREAK_ENGINE, "", "", 0));
  }

  @Test
  void aReductionDropsTheFaultTheDisturbanceAndTheStop() {
    assertThat(begun(aimed("dma", "busy", "alloc-pool", 1)).isCalm()).isTrue();
    assertThat(begun(aimed("dma", "busy", "alloc-pool", 2, 3)).isCalm()).isFalse();
    assertThat(begun(aimed("dma", "stopping", "KILL_ENGINE", 1, 2)).isCalm()).isTrue();
    assertThat(begun(aimed("dma", "idle", "FAIL_WAITS", 1)).isCalm()).isTrue();
    assertThat(steps(begun(aimed("dma", "stopping", "ctx-event", 2)), "dma/busy")).isEmpty();
    assertThat(steps(begun(aimed("dma", "stopping", "ctx-event", 1)), "dma/busy"))
        .containsExactly(new Help("ctx-event", 0, true, List.of()));
    assertThat(begun(aimed("dma", "stopping", "fail", 1)).isCalm()).isFalse();
    assertThat(Aim.stopsAtRequest(aimed("dma", "stopping", "fail", 2), "dma")).isFalse();
    assertThat(rules()).isZero();
  }

  /** A client that throws at its start would do nothing in the state of the aim. */
  @Test
  void noBehaviorThrowsInARunWithAnAim() {
    assertThat(aimed("dma", "busy", "fail").mayThrow()).isFalse();
    assertThat(run("dma", 1).mayThrow()).isTrue();
  }

  /** One aim may come too late. */
  @ParameterizedTest
  @CsvSource({
    "dma, opening, corrupt",
    "dma, idle, ctx-event",
    "dma, busy, FAIL_STOP",
    "dma, stopping, fail",
    "comch, opening, ctx-event",
    "rdma, opening, ctx-event",
    "sync-event, stopping, alloc-task",
    "mixed, stopping, lost",
    "mixed, ended, KILL_ENGINE"
  })
  void someOfTheAimsReachTheirCell(String scenario, String state, String row) {
    Set<String> reached = new HashSet<>();
    try (Simulator simulator = Simulator.create()) {
      for (int rounds = 0; rounds < 5; rounds++) {
        long seed = aimed(rounds, scenario, state, row).seed();
        Outcome outcome = simulator.run(scenario, seed, Reduction.NONE, null);
        assertThat(outcome.problem()).as("seed %d", seed).isEmpty();
        reached.addAll(outcome.reached().keySet());
      }
    }
    assertThat(reached).contains(Coverage.cell(Coverage.place(scenario, state), row));
  }
}
