package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientEvent.Connected;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.ContextReply.Opening;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients without a server, and a connection that does not end in time. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ClientTest {
  private static BackoffSupervisorStrategy again(long ms) {
    return SupervisorStrategy.restartWithBackoff(Duration.ofMillis(ms), Duration.ofMillis(ms), 0)
        .withLoggingEnabled(false);
  }

  @Test
  void whenNoRestartIsLeftItFailsForTheSameReason() {
    try (RunningSystem system = RunningSystem.create()) {
      ConnectionProtocol.OpenReply reply =
          ComchPair.openClient(
              system,
              system.engine,
              "client",
              ClientOptions.of("test-nobody").withSupervision(again(1).withMaxRestarts(3)));
      assertThat(((OpenFailed<?>) reply).error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void resumeIsRefusedAsAStrategy() {
    try (RunningSystem system = RunningSystem.create()) {
      ConnectionProtocol.OpenReply reply =
          ComchPair.openClient(
              system,
              system.engine,
              "client",
              ClientOptions.of("test-nobody")
                  .withSupervision(SupervisorStrategy.resume().withLoggingEnabled(false)));
      assertThat(((OpenFailed<?>) reply).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void itWaitsForAServerThatComesLater() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      TestProbe<ConnectionProtocol.OpenReply> opened = system.kit.createTestProbe();
      TestProbe<ClientEvent> events = system.kit.createTestProbe();
      two.tell(
          new OpenComchClient(
              "client",
              ClientOptions.of("test-later")
                  .withSupervision(again(20))
                  .withListener(events.getRef()),
              opened.getRef()));
      for (int i = 0; i < 3; i++) {
        assertThat(events.receiveMessage()).isInstanceOf(Lost.class);
      }
      ComchPair.server(system, ServerOptions.of("test-later", connection -> Behaviors.ignore()));
      assertThat(opened.receiveMessage()).isInstanceOf(Opened.class);
      ClientEvent next = awaitConnected(events);
      assertThat(((Connected) next).times()).isEqualTo(1);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /**
   * The opener gets an answer in time and can stop the client. The listener reports the connection.
   */
  @Test
  void aRestartingClientRetriesBeyondTheOpenDeadline() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.open-deadline = 300ms")) {
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      TestProbe<ConnectionProtocol.OpenReply> opened = system.kit.createTestProbe();
      TestProbe<ClientEvent> events = system.kit.createTestProbe();
      ClientOptions options =
          ClientOptions.of("test-late").withSupervision(again(20)).withListener(events.getRef());
      two.tell(new OpenComchClient("client", options, opened.getRef()));
      ConnectionProtocol.OpenReply reply = opened.receiveMessage();
      assertThat(reply).isInstanceOf(Opening.class);
      ConnectionProtocol.Opening opening = (ConnectionProtocol.Opening) reply;
      assertThat(opening.error().code()).isEqualTo(DocaCode.TIME_OUT);
      ComchPair.server(system, ServerOptions.of("test-late", connection -> Behaviors.ignore()));
      assertThat(awaitConnected(events)).isEqualTo(new Connected(opening.context(), 1));
      opening.context().tell(new Stop());
      opened.expectTerminated(opening.context());
      opened.expectNoMessage(Duration.ZERO);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aRetryingClientCanBeStopped() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.open-deadline = 50ms")) {
      ConnectionProtocol.OpenReply reply =
          ComchPair.openClient(
              system,
              system.engine,
              "client",
              ClientOptions.of("test-nobody").withSupervision(again(60_000)));
      ActorRef<ConnectionProtocol.Command> client = ((ConnectionProtocol.Opening) reply).context();
      client.tell(new Stop());
      system.kit.createTestProbe().expectTerminated(client);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aRetryingClientWhoseOpenerHasEndedStops() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.open-deadline = 50ms")) {
      ClientOptions options = ClientOptions.of("test-nobody").withSupervision(again(60_000));
      TestProbe<ConnectionProtocol.OpenReply> opener = system.kit.createTestProbe();
      opener.stop();
      system.engine.tell(new OpenComchClient("client", options, opener.getRef()));
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  ComchPair.openClient(system, system.engine, "client", options)
                      instanceof Opening);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The subscription waits for the next connection, or for the end of the client. */
  @Test
  void aSubscriberOfAWaitingOrEndedClientReceivesClosed() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("dpu.comch.connection.queue = 1")) {
      Fixture fixture = Fixtures.waiting(rig);
      ActorRef<ConnectionProtocol.Command> client =
          fixture.ends().get(0).<ConnectionProtocol.Command>unsafeUpcast();
      TestProbe<ConnectionEvent> waiting = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(waiting.getRef(), 1));
      TestProbe<ConnectionEvent> oneTooMany = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(oneTooMany.getRef(), 1));
      assertClosed(oneTooMany, DocaCode.FULL);
      fixture.stop().run();
      assertClosed(waiting, DocaCode.SHUTDOWN);
      rig.assertEnd(fixture.ends());
      TestProbe<ConnectionEvent> late = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(late.getRef(), 1));
      assertClosed(late, DocaCode.SHUTDOWN);
      rig.assertNothingLeft();
    }
  }

  private static void assertClosed(TestProbe<ConnectionEvent> subscriber, DocaCode code) {
    Closed closed = subscriber.expectMessageClass(Closed.class);
    assertThat(closed.error()).map(DocaError::code).contains(code);
  }

  private static ClientEvent awaitConnected(TestProbe<ClientEvent> events) {
    return events
        .fishForMessage(
            ServerRig.SOON,
            event ->
                event instanceof Connected
                    ? FishingOutcomes.complete()
                    : FishingOutcomes.continueAndIgnore())
        .get(0);
  }

  /** An unsent message keeps its connection open up to the deadline, and is answered. */
  @Test
  @ExpectedLog("messages in flight 50 ms after the disconnect: abandoned")
  void aConnectionThatEndsAfterItsDeadlineIsStillDestroyed() throws InterruptedException {
    try (ServerRig rig =
        ServerRig.create("dpu.comch.connection { drain-deadline = 50ms, stop-deadline = 50ms }")) {
      Served served = rig.bystanderServed;
      FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
      rig.send(served.connection(), "slow");
      served.connection().tell(new Stop());
      rig.assertEnd(List.of(served.behavior(), served.connection()));
      assertThat(rig.ledger.answers(SendFailed.class).get(0).error().code())
          .isEqualTo(DocaCode.TIME_OUT);
      assertThat(rig.nodes.phases("server/connection-1")).contains("LOST");
      rig.bystander.tell(new Stop());
      rig.assertEnd(List.of(rig.bystander));
      rig.assertNothingLeft();
    }
  }
}
