package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.LateSender;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Ends every actor of the communication channel in every state, by every event that can end it.
 * Each end is bounded, and each request gets one answer. Children end before parents, among actors
 * and among native halves. No resource is left, and other actors continue.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class StopTest {
  private static final String SETTINGS = "dpu.comch.server.restart.backoff = 1ms";

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SERVER_REOPENING")
  void itIsStopped(Subject subject) throws InterruptedException {
    stop(subject);
  }

  @Test
  @ExpectedLog("server: the context stopped by itself")
  void aRestartingServerIsStopped() throws InterruptedException {
    stop(Subject.SERVER_REOPENING);
  }

  private static void stop(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      fixture.stop().run();
      rig.blockPoint.release();
      rig.endings.await(fixture.ends());
      if (!rig.endings.hasEnded(rig.server)) {
        rig.assertAlive(rig.bystander);
      }
      rig.assertNothingLeft();
      assertThat(rig.ledger.answers(Stopped.class)).isNotEmpty().containsOnly(Stopped.CLEAN);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "(CONNECTION|PRODUCER|CONSUMER)_.*")
  void itsParentIsStopped(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      fixture.stopParent().run();
      rig.assertEnd(fixture.ends());
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SERVER_REOPENING")
  void itsEngineIsStopped(Subject subject) throws InterruptedException {
    stopEngine(subject);
  }

  @Test
  @ExpectedLog("server: the context stopped by itself")
  void theEngineOfARestartingServerIsStopped() throws InterruptedException {
    stopEngine(Subject.SERVER_REOPENING);
  }

  private static void stopEngine(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      ActorRef<EngineProtocol.Command> engine =
          fixture.isClient() ? rig.clients : rig.system.engine;
      rig.endings.watch(engine);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      rig.blockPoint.release();
      rig.assertEnd(fixture.ends());
      rig.assertEnd(List.of(engine));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"SERVER_ALONE", "SERVER_REOPENING"})
  void itsPeerDisconnects(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      fixture.stopPeer().run();
      rig.blockPoint.release();
      rig.endings.await(fixture.endsWithPeer());
      if (subject != Subject.SERVER_STOPPING) {
        rig.assertAlive(rig.bystander);
      }
      fixture.stop().run();
      rig.assertEnd(fixture.ends());
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {
        "SERVER_ALONE",
        "SERVER_REOPENING",
        "SERVER_STOPPING",
        "CONNECTION_STOPPING",
        "CLIENT_OPENING_CONSUMER",
        "CLIENT_STOPPING",
        "CLIENT_REOPENING",
        "CLIENT_CONNECTING",
        "CLIENT_BACKING_OFF",
        "CLIENT_LOSING",
        "PRODUCER_STOPPING",
        "CONSUMER_STOPPING"
      })
  @ExpectedLog("as the test has asked")
  void itsBehaviorThrows(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      fixture.fail().run();
      rig.assertEnd(fixture.endsWithPeer());
      fixture.stop().run();
      rig.assertEnd(fixture.ends());
      rig.assertNothingLeft();
    }
  }

  /** The engine receives the stop and the message that makes the behavior throw in one turn. */
  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = ".*_(WITH_CONNECTIONS|WITH_DATA|IN_FLIGHT)")
  @ExpectedLog("as the test has asked")
  void itsBehaviorThrowsDuringItsStop(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      rig.blockEngine(fixture.isClient());
      fixture.stop().run();
      fixture.fail().run();
      rig.blockPoint.release();
      rig.assertEnd(fixture.endsWithPeer());
      fixture.stop().run();
      rig.assertEnd(fixture.ends());
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "CLIENT_.*")
  void theDeviceOfAClientIsLost(Subject subject) throws InterruptedException {
    lose(subject);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "SERVER_STOPPING")
  void theDeviceOfAServerThatStopsIsLost(Subject subject) throws InterruptedException {
    lose(subject);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_NONE,
      names = {"CLIENT_.*", "SERVER_STOPPING"})
  @ExpectedLog("server: the context stopped by itself")
  void theDeviceOfAServerIsLost(Subject subject) throws InterruptedException {
    lose(subject);
  }

  private static void lose(Subject subject) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      Fixture fixture = subject.enter(rig);
      rig.loseDevice(fixture.isClient());
      rig.blockPoint.release();
      rig.endings.await(fixture.endsWithPeer());
      fixture.stop().run();
      rig.endings.await(fixture.ends());
      rig.assertNothingLeft();
    }
  }

  @Test
  void aMessageToAConnectionThatEndsDuringTheSendIsAnswered() throws InterruptedException {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      ServerRig.Pair pair = rig.pair(false);
      for (ActorRef<ConnectionProtocol.Command> end :
          List.of(pair.served().connection(), pair.client())) {
        LateSender<ConnectionProtocol.Command> sender = new LateSender<>(end);
        end.tell(new Stop());
        rig.endings.await(List.of(end));
        TestProbe<SendReply> replies = rig.system.kit.createTestProbe();
        sender.tell(new Send(new byte[] {1}, 7, Optional.of(replies.getRef())));
        assertThat(((SendFailed) replies.receiveMessage()).error().code())
            .isEqualTo(DocaCode.SHUTDOWN);
      }
      rig.endings.await(pair.all());
      rig.assertNothingLeft();
    }
  }

  @Test
  void aMessageAfterAStopDoesNotAffectTheMessagesBeforeIt() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("dpu.comch.connection.window = 1")) {
      ActorRef<ConnectionProtocol.Command> connection = rig.bystanderServed.connection();
      FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
      for (int i = 0; i < 3; i++) {
        rig.send(connection, "message " + i);
      }
      rig.stop(connection);
      connection.tell(Send.orFail("too late"));
      rig.assertEnd(List.of(connection));
      assertThat(rig.ledger.answers(Sent.class)).hasSize(3);
      rig.assertNothingLeft();
    }
  }

  /**
   * The peer loses its device while a send is in flight, and no actor receives a stop message. The
   * answer finds its receiver ended, so that the engine returns the lease.
   */
  @Test
  void anActorSystemThatEndsReapsChildrenFirst() {
    try (ServerRig rig = ServerRig.create(SETTINGS)) {
      ServerRig.Pair pair = rig.pair(true);
      FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s");
      Fixtures.slowBlock(rig, pair);
      rig.ledger.await(Filled.class, 1);
      rig.loseDevice(true);
      rig.system.close();
      rig.nodes.assertChildrenFirst();
    }
  }
}
