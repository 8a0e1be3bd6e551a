package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the limit of the RDMA service for the first message, on a manual clock. */
@ExtendWith(CleanLog.class)
class RdmaStoreTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<RdmaConnectionProtocol.Command> client = kit.createTestProbe();
  private final BufferPool parts = HeapBuffers.pool(1, 64);
  private final BufferPool messages = HeapBuffers.pool(1, 512);

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  @ExpectedLog("it has sent no message for 30000 ms")
  void aSilentClientLosesItsPlace() {
    ActorRef<Event> store = store();
    time.expectNoMessageFor(LIMIT.minusMillis(1), client);
    time.timePasses(Duration.ofMillis(1));
    client.expectTerminated(store);
    assertThat(parts.available()).isEqualTo(1);
  }

  @Test
  void aClientThatHasBegunMayBeSilent() {
    ActorRef<Event> store = store();
    store.tell(new Message(new byte[0], OptionalInt.of(RdmaStore.BEGIN)));
    time.timePasses(LIMIT.multipliedBy(3));
    store.tell(new Message(new byte[0], OptionalInt.of(RdmaStore.REPORT)));
    client.expectMessageClass(Send.class);
    kit.stop(store);
  }

  private ActorRef<Event> store() {
    RdmaStore.Shared shared =
        new RdmaStore.Shared(parts, RemoteMemory.of(new byte[16]), messages, 64);
    ActorRef<Event> store = kit.spawn(RdmaStore.of(shared, LIMIT).serve(client.getRef()));
    Send offer = client.expectMessageClass(Send.class);
    offer.replyTo().tell(new Completed(offer.tag(), offer.src(), null));
    return store;
  }
}
