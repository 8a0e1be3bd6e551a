package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.dpuactors.fleet.FleetNode.Cause;
import io.dpuactors.fleet.FleetNode.Event;
import io.dpuactors.fleet.FleetNode.Failed;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Tests that a node whose actors fail reports a failure: a node that only ends has drained. */
class NodeFailureTest extends FleetFixture {
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Appender<ILoggingEvent> stderr = root.getAppender("stderr");

  /** The node logs the failure. */
  @BeforeEach
  void dropLog() {
    root.detachAppender(stderr);
  }

  @AfterEach
  void restoreLog() {
    root.addAppender(stderr);
  }

  @ParameterizedTest
  @CsvSource({
    "/user/gateway, the gateway of the node has ended",
    "/user/member-watch, the member-watch of the node has ended",
    "/user, the node has failed; its log names the cause"
  })
  void aNodeWhoseActorFailsReportsAFailure(String actor, String why) throws Exception {
    BlockingQueue<Event> events = begin(config(), 0, List.of());
    ready(events);
    ActorSystem<?> node = systems.get(0);
    Adapter.toClassic(node).actorSelection(actor).tell(Kill.getInstance(), ActorRef.noSender());
    assertThat(events.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(new Failed(why, Cause.NODE));
    assertEnds(node.getWhenTerminated(), node);
    assertThat(events).isEmpty();
  }
}
