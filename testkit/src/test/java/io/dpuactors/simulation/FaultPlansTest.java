package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the random fault plans. */
class FaultPlansTest {
  private static final int PLANS = 5_000;
  private static final Pattern DELAY_MS = Pattern.compile("delay=(\\d+)(ms|s)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
  private static final String FAULT_PARSER = "native-bridge/softdpu/src/config/fault_parse.c";

  /** Types of tasks that no scenario has. */
  private static final Set<String> WITHOUT_WORKLOAD =
      Set.of("ec-galois-mul", "mmap-advise-invalidate-cache", "sync-event-notify-set");

  /**
   * The {@code stop-deadline} of contexts, milliseconds: a context with a later task, or a
   * connection with a later message, is lost.
   */
  private static final int STOP_DEADLINE_MS = 5_000;

  private List<String> plans() {
    return plans("test");
  }

  private List<String> plans(String scenario) {
    Run run = Runs.of(scenario, new StillControl());
    List<String> plans = new ArrayList<>();
    for (int i = 0; i < PLANS; i++) {
      plans.add(FaultPlans.draw(run));
    }
    return plans;
  }

  @Test
  void allDelaysOfAPlanTogetherEndBeforeTheDeadlineOfAStop() {
    for (String plan : plans()) {
      Matcher delay = DELAY_MS.matcher(plan);
      int sumMs = 0;
      while (delay.find()) {
        sumMs += Integer.parseInt(delay.group(1)) * (delay.group(2).equals("s") ? 1_000 : 1);
      }
      assertThat(sumMs).as(plan).isLessThan(STOP_DEADLINE_MS);
    }
  }

  @Test
  void linksOfComchGoDownOrDelay() {
    assertThat(String.join(" ; ", plans())).contains("comch-link:down:", "comch-link:delay=");
  }

  /** A client of comch that receives only needs the report of its end. */
  @Test
  void reportsOfStatesAreLateDoubledAndWithoutCommunicationChannelLost() {
    for (String scenario : new String[] {"dma", "rdma", "sync-event"}) {
      assertThat(String.join(" ; ", plans(scenario)))
          .contains("ctx-event:lost:", "ctx-event:twice:", "ctx-event:delay=");
    }
    for (String scenario : new String[] {"comch", "streams", "test"}) {
      assertThat(String.join(" ; ", plans(scenario)))
          .contains("ctx-event:twice:", "ctx-event:delay=")
          .doesNotContain("ctx-event:lost");
    }
  }

  @Test
  void scenariosWithoutLinksHaveNoRulesForThem() {
    assertThat(String.join(" ; ", plans("dma"))).doesNotContain("-link");
  }

  @Test
  void thePlansHaveEachAction() {
    Set<String> actions = new HashSet<>();
    for (String plan : plans()) {
      actions.addAll(Coverage.rows(new Disturb(Disturbance.FAULTS, plan, "", 0)));
    }
    assertThat(actions)
        .containsExactlyInAnyOrder(
            "FAULTS",
            "fail",
            "delay",
            "again",
            "corrupt",
            "lost",
            "twice",
            "down",
            "drop",
            "comch-link",
            "ctx-event",
            "alloc-task",
            "alloc-buf",
            "alloc-map",
            "alloc-key",
            "alloc-matrix",
            "alloc-pool",
            "alloc-context",
            "alloc-start",
            "alloc-engine",
            "alloc-packet");
  }

  /** Returns the types of tasks of all rules. */
  private Set<String> subjects(String scenario) {
    Set<String> subjects = new TreeSet<>();
    for (String plan : plans(scenario)) {
      for (String rule : plan.split(" ; ", -1)) {
        subjects.add(rule.split(":", -1)[0]);
      }
    }
    subjects.removeIf(one -> one.isEmpty() || one.equals("*"));
    subjects.removeIf(one -> one.startsWith("alloc-") || one.endsWith("-link"));
    subjects.remove("ctx-event");
    return subjects;
  }

  @Test
  void aRuleNamesATypeOfTasksOfItsScenario() {
    assertThat(subjects("comch"))
        .containsExactly("comch-post-recv", "comch-producer-send", "comch-send");
    assertThat(subjects("rdma"))
        .containsExactly(
            "rdma-atomic-cmp-swp",
            "rdma-atomic-fetch-add",
            "rdma-event-get",
            "rdma-event-notify-add",
            "rdma-event-notify-set",
            "rdma-read",
            "rdma-receive",
            "rdma-send",
            "rdma-send-imm",
            "rdma-write",
            "rdma-write-imm");
    assertThat(subjects("dma"))
        .contains("dma-memcpy", "ec-update")
        .doesNotContain("rdma-read", "comch-send");
    assertThat(subjects("streams")).contains("dma-memcpy", "comch-send", "sync-event-get");
  }

  /** A new type of tasks needs a workload, or a line in {@link #WITHOUT_WORKLOAD}. */
  @Test
  void thePlansHaveEachTypeOfTheDevice() throws IOException {
    String source = Files.readString(PlantedFault.ROOT.resolve(FAULT_PARSER));
    int begin = source.indexOf("known[] = {");
    Set<String> known = new TreeSet<>();
    Matcher name = QUOTED.matcher(source.substring(begin, source.indexOf("};", begin)));
    while (name.find()) {
      known.add(name.group(1));
    }
    known.removeIf(one -> one.equals("*") || one.startsWith("alloc-"));
    assertThat(known).containsAll(WITHOUT_WORKLOAD).contains("dma-memcpy");
    known.removeAll(WITHOUT_WORKLOAD);
    assertThat(subjects("streams")).isEqualTo(known);
  }

  @Test
  void thePlansHaveEachSelectorAndErrorsOfTheDevice() {
    String all = String.join(" ; ", plans());
    for (String selector : new String[] {"nth=", "first=", "every=", "p=0."}) {
      assertThat(all).contains(":" + selector);
    }
    assertThat(all)
        .containsPattern("comch-send:fail=\\w+:")
        .containsPattern("alloc-packet:fail=\\w+:")
        .containsPattern("\\*:fail=DRIVER:")
        .containsPattern("every=\\d+:first=\\d+");
  }

  /** In an answer, these errors mean a deadline and the end of a context. */
  @Test
  void noPlanHasAnErrorOfActors() {
    assertThat(String.join(" ; ", plans())).doesNotContain("TIME_OUT", "SHUTDOWN");
  }

  /** Returns the plans of the faults that seeds aim at, by their rows. */
  private static Map<String, String> aimed() {
    Run run = Runs.of(new StillControl());
    Set<String> disturbances = new HashSet<>();
    Stream.of(Disturbance.values()).forEach(what -> disturbances.add(what.name()));
    Map<String, String> plans = new TreeMap<>();
    for (String scenario : Simulator.scenarios()) {
      for (Cells.Cell cell : Cells.possible(scenario)) {
        if (!disturbances.contains(cell.row())) {
          plans.put(cell.row(), FaultPlans.ofRow(run, cell.row()));
        }
      }
    }
    return plans;
  }

  @Test
  void anAimedPlanHasOneRuleForItsRow() {
    assertThat(aimed())
        .containsKeys("fail", "delay", "drop", "comch-link", "ctx-event", "alloc-key");
    aimed().forEach((row, plan) -> assertThat(Coverage.rows(plan)).containsExactly(row));
  }

  @Test
  void theSoftwareDpuAcceptsEachPlan() {
    SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
    try {
      plans().forEach(device::faults);
      aimed().values().forEach(device::faults);
    } finally {
      device.clearFaults();
    }
  }
}
