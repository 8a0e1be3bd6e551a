package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;

/** Tests the checks of the answers to commands. */
class AnswersTest {
  private static final long MINUTE_NS = Duration.ofMinutes(1).toNanos();
  private static final long SLACK_NS = Pace.NONE.slackNs();

  private final StillControl clock = new StillControl();
  private final Run run = Runs.of(clock);
  private final Answers answers = new Answers(run);
  private final ActorRef<Object> receiver = TestInbox.<Object>create().getRef();

  /** Answers a command of this kind after a time. */
  private void answer(String kind, long afterNs) {
    answers.expect(kind, receiver);
    clock.nowNs += afterNs;
    answers.answered(kind);
  }

  @Test
  void anAnswerAfterAMinuteFailsTheRun() {
    answer("stop", MINUTE_NS + SLACK_NS);
    assertThat(run.problem()).isNull();
    answer("stop", MINUTE_NS + SLACK_NS + 1);
    assertThat(run.problem())
        .isEqualTo("the answer to stop took 60001000001 ns, more than 60001000000 ns");
  }

  /** Each answer counts for the oldest command of its kind. */
  @Test
  void theOldestCommandHasTheFirstAnswer() {
    answers.expect("open", receiver);
    clock.nowNs += MINUTE_NS;
    answers.expect("open", receiver);
    answers.answered("open");
    clock.nowNs += MINUTE_NS;
    answers.answered("open");
    assertThat(run.problem()).isNull();
  }

  @Test
  void aCommandThatWaitsForAMessageHasNoLimit() {
    answer("receive", 20 * MINUTE_NS);
    assertThat(run.problem()).isNull();
  }

  @Test
  void aDeadHostHasMoreTime() {
    run.reached(Disturbance.KILL_HOST.name());
    answer("open", 2 * MINUTE_NS + SLACK_NS);
    assertThat(run.problem()).isNull();
    answer("open", 2 * MINUTE_NS + SLACK_NS + 1);
    assertThat(run.problem()).startsWith("the answer to open took");
  }

  @Test
  void aCommandHasOneAnswer() {
    answer("stop", 0);
    answers.check();
    assertThat(run.problem()).isNull();
    answers.answered("stop");
    assertThat(run.problem()).isEqualTo("a command has two answers: stop");
  }

  @Test
  void aCommandWithoutAnAnswerFailsTheRun() {
    answers.expect("pool", receiver);
    answers.check();
    assertThat(run.problem()).isEqualTo("1 commands have no answer: pool");
  }
}
