package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import io.dpuactors.fleet.FleetMonitor.Drained;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.NotDrained;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.Effect.TimerScheduled;
import org.apache.pekko.actor.testkit.typed.Effect.Watched;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Terminated;
import org.junit.jupiter.api.Test;

/** Tests that the drain of a node has one answer, also when the node ends or hangs. */
class NodeDrainTest {
  private static final String NODE = "h:1";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final TestInbox<GatewayRequest> gateway = TestInbox.create();
  private final TestInbox<Event> events = TestInbox.create();
  private final BehaviorTestKit<Object> drain =
      BehaviorTestKit.create(NodeDrain.create(NODE, gateway.getRef(), LIMIT, events.getRef()));
  private final TimerScheduled<?> deadline = timer();

  NodeDrainTest() {
    drain.expectEffectClass(Watched.class);
  }

  private TimerScheduled<?> timer() {
    return drain.expectEffectClass(TimerScheduled.class);
  }

  private void gatewayEnds() {
    ActorRef<?> ended = gateway.getRef();
    drain.signal(new Terminated(ended.unsafeUpcast()));
  }

  private void answer() {
    ((Drain) gateway.receiveMessage()).replyTo().tell(new FleetMessage.Drained(NODE));
    drain.runOne();
  }

  private void assertOneAnswer(Event expected) {
    assertThat(events.getAllReceived()).containsExactly(expected);
    assertThat(drain.isAlive()).as("a second answer is possible").isFalse();
  }

  @Test
  void aNodeThatAnswersHasDrained() {
    answer();
    assertOneAnswer(new Drained(NODE));
  }

  @Test
  void aNodeThatEndsWithoutAnAnswerIsLost() {
    gatewayEnds();
    assertThat(events.hasMessages()).as("the answer may still arrive").isFalse();
    TimerScheduled<?> lost = timer();
    assertThat(lost.delay().toNanos()).isEqualTo(NodeDrain.ANSWER_LIMIT.toNanos());
    drain.run(lost.msg());
    assertOneAnswer(new NotDrained("node h:1 was lost before it had drained"));
  }

  /** The answer and the end of the node arrive on different ways. */
  @Test
  void anAnswerThatArrivesAfterTheEndOfTheNodeCounts() {
    gatewayEnds();
    answer();
    assertOneAnswer(new Drained(NODE));
  }

  @Test
  void aNodeThatHangsFailsAtTheDeadline() {
    assertThat(deadline.delay().toNanos()).isEqualTo(LIMIT.toNanos());
    drain.run(deadline.msg());
    assertOneAnswer(new NotDrained("node h:1 has not drained within 60 s"));
  }
}
