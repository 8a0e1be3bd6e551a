package io.dpuactors.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients beyond the limit of a server: each gets the reason of the refusal. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class FullServerTest {
  /** limit of the device, and default of {@code dpu.comch.server.max-connections} */
  private static final int DEVICE_LIMIT = 512;

  private static ConnectionProtocol.OpenReply open(
      ServiceRig rig, ActorRef<ConnectionEvent> events) {
    ClientOptions options =
        ClientOptions.of(ServiceRig.NAME)
            .onDevice(ServiceRig.HOST)
            .withBehavior(
                connection ->
                    Behaviors.receiveMessage(
                        event -> {
                          events.tell(event);
                          return Behaviors.same();
                        }));
    return ComchPair.openClient(rig.system, rig.clients, "one-more", options);
  }

  @Test
  void theDeviceRefusesOneClientMoreThanItTakes() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(Pong::serve);
      ActorRef<ConnectionProtocol.Command> last = rig.connect();
      for (int i = 1; i < DEVICE_LIMIT; i++) {
        last = rig.connect();
      }
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      ConnectionProtocol.OpenReply refused = open(rig, events.getRef());
      assertThat(((OpenFailed<?>) refused).error().code()).isEqualTo(DocaCode.FULL);
      last.tell(new Subscribe(events.getRef(), 1));
      last.tell(Send.orFail("ping".getBytes(US_ASCII)));
      assertThat(events.receiveMessage()).isInstanceOf(Message.class);
      rig.stop();
    }
  }

  /**
   * The device does not enforce a smaller limit of the server: the server accepts the connection
   * and closes it. The client may receive both at once.
   */
  @Test
  void aServerClosesOneConnectionMoreThanItTakes() throws Exception {
    try (ServiceRig rig = new ServiceRig("dpu.comch.server.max-connections = 1")) {
      rig.serve(Pong::serve);
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      ActorRef<ConnectionProtocol.Command> first = rig.connect();
      first.tell(new Subscribe(events.getRef(), 1));
      first.tell(Send.orFail("ping".getBytes(US_ASCII)));
      assertThat(events.receiveMessage()).isInstanceOf(Message.class);
      TestProbe<ConnectionEvent> ends = rig.system.kit.createTestProbe();
      ConnectionProtocol.OpenReply second = open(rig, ends.getRef());
      if (second instanceof Opened) {
        Closed closed = ends.expectMessageClass(Closed.class);
        assertThat(closed.error().orElseThrow().about()).contains("the server may be full");
      } else {
        assertThat(((OpenFailed<?>) second).error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      }
      rig.stop();
    }
  }
}
