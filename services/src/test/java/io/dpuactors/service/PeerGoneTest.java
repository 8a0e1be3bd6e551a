package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.Request;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.service.RemoteCompress.Event;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a peer that leaves causes no error, also for an actor that opens its data path. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class PeerGoneTest {
  private static final Limits LIMITS = new Limits(1000, 1, 1 << 20, Duration.ofSeconds(30));

  /**
   * Returns a proxy that refuses data actors, as a connection does that has noticed its end first.
   */
  private static ActorRef<ConnectionProtocol.Command> gone(
      ServiceRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    Behavior<ConnectionProtocol.Command> refusing =
        Behaviors.setup(
            context -> {
              context.watch(connection);
              return Behaviors.receive(ConnectionProtocol.Command.class)
                  .onMessage(OpenProducer.class, PeerGoneTest::refuse)
                  .onMessage(OpenConsumer.class, PeerGoneTest::refuse)
                  .onAnyMessage(
                      command -> {
                        connection.tell(command);
                        return Behaviors.same();
                      })
                  .onSignal(Terminated.class, ended -> Behaviors.stopped())
                  .build();
            });
    return rig.system.kit.spawn(refusing);
  }

  private static Behavior<ConnectionProtocol.Command> refuse(Request open) {
    open.refuse(DocaError.of("open", DocaCode.NOT_CONNECTED.value(), "a connection"));
    return Behaviors.same();
  }

  @Test
  void theSenderOfBlocksIsSilent() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = Transfers.memory(rig, new DataGeometry(2, 1000));
      rig.serveBySessions(c -> Transfers.send(rig, gone(rig, c), memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      Transfers.receive(rig, Transfers.PLENTY, results);
      assertThat(results.receiveMessage()).isInstanceOf(TransferFailed.class);
      rig.stop(memory);
    }
  }

  @Test
  void theServerOfCompressIsSilent() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ConnectionBehavior sessions = rig.compressSessions(LIMITS);
      rig.serveBySessions(c -> sessions.serve(gone(rig, c)));
      assertThat(failureOfClient(rig, rig.connect())).startsWith("the connection ended");
      rig.stop();
    }
  }

  @Test
  void theClientOfCompressSaysThatTheConnectionEnded() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serveBySessions(rig.compressSessions(LIMITS));
      assertThat(failureOfClient(rig, gone(rig, rig.connect())))
          .startsWith("the connection ended: open: DOCA_ERROR_NOT_CONNECTED");
      rig.stop();
    }
  }

  private static String failureOfClient(
      ServiceRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    TestProbe<Event> events = rig.system.kit.createTestProbe();
    rig.system.kit.spawn(
        RemoteCompress.create(
            connection,
            rig.clients,
            Optional.of(ServiceRig.HOST),
            new Hello(1000, 1),
            events.getRef()));
    return ((Ended) events.receiveMessage()).failure().orElse("none");
  }
}
