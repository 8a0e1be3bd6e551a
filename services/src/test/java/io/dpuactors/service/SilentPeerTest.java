package io.dpuactors.service;

import static io.dpuactors.service.Transfers.PLENTY;
import static io.dpuactors.service.Transfers.copy;
import static io.dpuactors.service.Transfers.expectFailure;
import static io.dpuactors.service.Transfers.receive;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.CompressMessage.Hello;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests peers that connect and send nothing: the wait for them is bounded on both sides. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class SilentPeerTest {
  private static final String SHORT_SERVER_DEADLINE =
      "dpu.comch.server.first-request-deadline = 100ms";
  private static final String SHORT_CLIENT_DEADLINE =
      "dpu.comch.client.first-answer-deadline = 100ms";
  private static final String WHY = "sent nothing within 100 ms";

  private static void ping(
      ActorRef<ConnectionProtocol.Command> connection, TestProbe<ConnectionEvent> events) {
    connection.tell(Send.orFail("ping".getBytes(US_ASCII)));
    assertThat(events.receiveMessage()).isInstanceOf(Message.class);
  }

  @Test
  void aSilentClientLosesItsPlaceAndOthersKeepTheirs() throws Exception {
    try (ServiceRig rig = new ServiceRig(SHORT_SERVER_DEADLINE)) {
      rig.serve(Pong::serve);
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      ActorRef<ConnectionProtocol.Command> speaker = rig.connect();
      speaker.tell(new Subscribe(events.getRef(), 10));
      ping(speaker, events);
      ActorRef<ConnectionProtocol.Command> silent =
          LoggingTestKit.info("0 messages received: no request within 100 ms")
              .expect(
                  rig.system.kit.system(),
                  () -> {
                    ActorRef<ConnectionProtocol.Command> one = rig.connect();
                    events.expectTerminated(one);
                    return one;
                  });
      assertThat(silent).isNotEqualTo(speaker);
      ping(speaker, events);
      LoggingTestKit.info("2 messages received: ")
          .expect(
              rig.system.kit.system(),
              () -> {
                speaker.tell(new Stop());
                events.expectTerminated(speaker);
                return speaker;
              });
      rig.stop();
    }
  }

  @Test
  void aServerThatNeverAnswersIsLeft() throws Exception {
    try (ServiceRig rig = new ServiceRig(SHORT_CLIENT_DEADLINE)) {
      rig.serve(connection -> Behaviors.ignore());
      TestProbe<Ping.Result> pings = rig.system.kit.createTestProbe();
      rig.connect(c -> Ping.create(c, 1, 4, time -> {}, pings.getRef()));
      assertThat(((Ping.PingFailed) pings.receiveMessage()).why()).contains(WHY);
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      expectFailure(results, WHY);
      copy(rig, 4, PLENTY, results);
      expectFailure(results, WHY);
      TestProbe<RemoteCompress.Event> remote = rig.system.kit.createTestProbe();
      rig.system.kit.spawn(
          RemoteCompress.create(
              rig.connect(),
              rig.clients,
              Optional.of(ServiceRig.HOST),
              new Hello(4096, 1),
              remote.getRef()));
      assertThat(remote.expectMessageClass(Ended.class).failure().orElse("")).contains(WHY);
      rig.stop();
    }
  }
}
