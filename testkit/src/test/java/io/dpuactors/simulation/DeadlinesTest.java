package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the checks of the times of answers. */
class DeadlinesTest {
  private static final long LIMIT_NS = 5_000_000;
  private static final long SLACK_NS = Pace.NONE.slackNs();
  private static final DocaError LATE =
      DocaError.of("doca_task", DocaCode.TIME_OUT.value(), "late");

  private final StillControl clock = new StillControl();
  private final Run run = Runs.of(clock);

  private Deadlines deadlines(boolean mayWaitTwice) {
    return new Deadlines(run, "client", Duration.ofNanos(LIMIT_NS), mayWaitTwice);
  }

  /** Answers a request of a client after this time. */
  private void answer(boolean mayWaitTwice, long afterNs, DocaError... error) {
    Deadlines deadlines = deadlines(mayWaitTwice);
    long sentNs = clock.nowNs;
    deadlines.sent(7);
    clock.nowNs = sentNs + afterNs;
    deadlines.answered(7, error.length == 0 ? null : error[0]);
    deadlines.check();
  }

  @Test
  void anAnswerAfterTheDeadlineFailsTheRun() {
    answer(false, LIMIT_NS + SLACK_NS);
    assertThat(run.problem()).isNull();
    answer(false, LIMIT_NS + SLACK_NS + 1);
    assertThat(run.problem())
        .isEqualTo(
            "request 7 of client was answered 6000001 ns after it was sent, and its deadline was"
                + " 5000000 ns");
  }

  @Test
  void aRequestThatMayWaitTwiceHasTwiceTheTime() {
    answer(true, 2 * LIMIT_NS + SLACK_NS, LATE);
    answer(true, 0, LATE);
    assertThat(run.problem()).isNull();
    answer(true, 2 * LIMIT_NS + SLACK_NS + 1);
    assertThat(run.problem()).contains("request 7").contains("its deadline was 10000000 ns");
  }

  @Test
  void aTimeOutBeforeTheDeadlineFailsTheRun() {
    answer(false, LIMIT_NS - SLACK_NS, LATE);
    assertThat(run.problem()).isNull();
    answer(false, LIMIT_NS - SLACK_NS - 1, LATE);
    assertThat(run.problem())
        .isEqualTo(
            "request 7 of client timed out after 3999999 ns, before its deadline of 5000000 ns");
  }

  @Test
  void aTimeOutOfAConnectionEndsItsOtherRequests() {
    Deadlines deadlines = deadlines(false).ofConnection();
    deadlines.sent(1);
    clock.nowNs += LIMIT_NS;
    deadlines.sent(2);
    deadlines.answered(1, LATE);
    deadlines.answered(2, LATE);
    assertThat(run.problem()).isNull();
    Deadlines others = deadlines(false).ofConnection();
    others.sent(3);
    others.answered(3, LATE);
    assertThat(run.problem()).contains("request 3").contains("before its deadline");
  }

  @Test
  void aTimeOutOfAProducerEndsNoOtherRequest() {
    Deadlines deadlines = deadlines(false);
    deadlines.sent(1);
    clock.nowNs += LIMIT_NS;
    deadlines.sent(2);
    deadlines.answered(1, LATE);
    deadlines.answered(2, LATE);
    assertThat(run.problem()).contains("request 2").contains("before its deadline");
  }

  @Test
  void aSilentPeerMayEndAConnectionAtAnyTime() {
    answer(false, 0, DocaError.of("receive", DocaCode.TIME_OUT.value(), "nothing arrived"));
    assertThat(run.problem()).isNull();
  }

  @Test
  void eachPauseOfAnEngineGivesMoreTime() {
    run.reached(Disturbance.JUMP_CLOCK.name());
    run.reached(Disturbance.JUMP_CLOCK.name());
    run.reached(Disturbance.KILL_HOST.name());
    run.reached(Disturbance.STOP_CONTEXT.name());
    long pausesNs = 2L * Run.LONGEST_JUMP_NS + WorldLoop.DEATH_NS;
    answer(false, LIMIT_NS + SLACK_NS + pausesNs);
    assertThat(run.problem()).isNull();
    answer(false, LIMIT_NS + SLACK_NS + pausesNs + 1);
    assertThat(run.problem()).contains("request 7");
  }

  @Test
  void aSecondAnswerFailsTheRun() {
    Deadlines deadlines = deadlines(false);
    deadlines.sent(7);
    deadlines.answered(7, null);
    assertThat(run.problem()).isNull();
    deadlines.answered(7, LATE);
    assertThat(run.problem()).startsWith("request 7 of client has two answers; the second is ");
  }

  @Test
  void aMissingAnswerFailsTheRun() {
    Deadlines deadlines = deadlines(false);
    deadlines.sent(7);
    deadlines.check();
    assertThat(run.problem()).isEqualTo("client has no answer to [7]");
  }

  @Test
  void someSeedsHaveShortDeadlinesThatAreLongEnoughWithoutFaults() {
    assertThat(Deadlines.of(run)).isEqualTo(Deadlines.CONFIGURED);
    assertThat(Deadlines.of(Runs.of(clock, 2))).isEqualTo(Duration.ofNanos(30 * SLACK_NS));
  }
}
