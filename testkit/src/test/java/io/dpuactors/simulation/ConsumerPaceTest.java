package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the paces of consumers. */
class ConsumerPaceTest {
  private static final int PACES = 400;
  private static final int MOST = 16;
  private static final Duration LONGEST = Duration.ofMillis(50);

  private final Run run = Runs.of(new StillControl());

  @Test
  void aQuarterIsSlowAndBeginsWithLittleCredit() {
    List<Integer> credits = new ArrayList<>();
    for (int i = 0; i < PACES; i++) {
      credits.add(ConsumerPace.draw(run).credit(MOST));
    }
    assertThat(run.reached().getOrDefault("slow consumer", 0)).isBetween(PACES / 5, PACES / 3);
    assertThat(credits).allMatch(credit -> credit >= 1 && credit <= MOST).contains(1, MOST);
    assertThat(credits.stream().filter(credit -> credit < MOST).count())
        .isBetween(PACES / 6L, PACES / 3L);
  }

  @Test
  void aSlowConsumerSendsEachMessageOnceAndLater() {
    assertThat(delays(run)).anyMatch(delay -> delay.compareTo(LONGEST.dividedBy(2)) > 0);
  }

  /** Seed 2 has short deadlines. */
  @Test
  void aSlowConsumerLetsNoMessageTimeOut() {
    Run shorter = Runs.of(new StillControl(), 2);
    Duration most = Deadlines.of(shorter).dividedBy(30);
    assertThat(most).isLessThan(LONGEST);
    assertThat(delays(shorter)).allMatch(delay -> delay.compareTo(most) <= 0);
  }

  /** Returns the delays of some messages of consumers in a run. */
  private static List<Duration> delays(Run run) {
    TestInbox<String> inbox = TestInbox.create();
    BehaviorTestKit<Object> consumer =
        BehaviorTestKit.create(
            Behaviors.setup(
                context -> {
                  for (int i = 0; i < PACES; i++) {
                    ConsumerPace.draw(run).tell(context, inbox.getRef(), "grant");
                  }
                  return Behaviors.empty();
                }));
    List<Duration> delays =
        consumer.getAllEffects().stream()
            .filter(Effect.Scheduled.class::isInstance)
            .map(effect -> ((Effect.Scheduled<?>) effect).duration())
            .toList();
    assertThat(delays).hasSize(run.reached().getOrDefault("slow consumer", 0));
    assertThat(delays).allMatch(delay -> delay.toNanos() > 0 && delay.compareTo(LONGEST) <= 0);
    assertThat(inbox.getAllReceived()).hasSize(PACES - delays.size()).containsOnly("grant");
    return delays;
  }
}
