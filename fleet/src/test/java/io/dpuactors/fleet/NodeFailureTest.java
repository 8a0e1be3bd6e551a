package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.fleet.FleetNodeEvent.Cause;
import io.dpuactors.fleet.FleetNodeEvent.Failed;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a node whose actors fail reports a failure: a node that only ends has drained. */
@ExtendWith(DroppedLog.class) // the node logs the failure
class NodeFailureTest extends FleetFixture {
  @ParameterizedTest
  @CsvSource({
    "/user/gateway, the gateway of the node has ended",
    "/user/member-watch, the member-watch of the node has ended",
    "/user, the node has failed; its log names the cause"
  })
  void aNodeWhoseActorFailsReportsAFailure(String actor, String why) throws Exception {
    BlockingQueue<FleetNodeEvent> events = begin(config(), 0, List.of());
    ready(events);
    ActorSystem<?> node = systems.get(0);
    Adapter.toClassic(node).actorSelection(actor).tell(Kill.getInstance(), ActorRef.noSender());
    assertThat(events.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(new Failed(why, Cause.NODE));
    assertEnds(node.getWhenTerminated(), node);
    assertThat(events).isEmpty();
  }
}
