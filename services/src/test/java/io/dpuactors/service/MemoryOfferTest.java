package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of a DMA client's place without a device, on a manual clock. */
@ExtendWith(CleanLog.class)
class MemoryOfferTest {
  private static final Duration LIMIT = Duration.ofSeconds(4);

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** The second {@code done} does not extend the limit. */
  @Test
  @ExpectedLog("it has stayed for 4000 ms after its copies")
  void aClientThatStaysAfterItsCopiesIsDisconnected() {
    ActorRef<ConnectionEvent> offer = offer();
    offer.tell(new Message(DmaOffer.done()));
    time.timePasses(LIMIT.dividedBy(2));
    offer.tell(new Message(DmaOffer.done()));
    time.timePasses(LIMIT.dividedBy(2));
    connection.expectTerminated(offer);
  }

  /** The deadline of the server for a first request does not cover this client. */
  @Test
  @ExpectedLog("it opened a consumer")
  void aClientThatOpensAConsumerIsDisconnected() {
    ActorRef<ConnectionEvent> offer = offer();
    offer.tell(new ConsumerJoined(1));
    connection.expectTerminated(offer);
  }

  private ActorRef<ConnectionEvent> offer() {
    DmaOffer memory = DmaOffer.of(new DataGeometry(1, 64), new byte[100]);
    ActorRef<ConnectionEvent> offer =
        kit.spawn(MemoryOffer.of(memory, LIMIT).serve(connection.getRef()));
    connection.expectMessageClass(Send.class);
    return offer;
  }
}
