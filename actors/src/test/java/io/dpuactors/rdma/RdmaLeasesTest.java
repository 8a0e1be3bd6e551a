package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the leases of an actor that ends while its request waits for a client to reconnect. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaLeasesTest {
  private static final String MINE = "mine";
  private static final String THEIRS = "of another actor";

  @Test
  void aRequestThatWaitsSendsTheDataOfItsSender() throws Exception {
    try (ListenerRig rig = ListenerRig.create()) {
      BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
      var client = waiting(rig, 1000);
      CompletableFuture<Buffer> next = leasedAfterSender(rig, pool, client);
      rig.accepted();
      Message message =
          (Message)
              rig.events.fishForMessage(ListenerRig.SOON, ListenerRig.until(Message.class)).get(0);
      assertThat(message.text()).isEqualTo(MINE);
      release(next);
      rig.assertNothingLeft();
    }
  }

  /** The answer to the late request does not release the lease of the next holder. */
  @Test
  void theLeaseReturnsOnceWhenTheRequestExpires() throws Exception {
    try (ListenerRig rig = ListenerRig.create("dpu.rdma.deadline = 1s")) {
      BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
      var client = waiting(rig, 60_000);
      Buffer held = get(leasedAfterSender(rig, pool, client));
      client.tell(new Stop());
      rig.endings.await(List.of(client));
      held.release();
      assertThat(pool.available()).isEqualTo(1);
      rig.assertNothingLeft();
    }
  }

  @Test
  void theLeaseReturnsWhenTheClientStops() throws Exception {
    try (ListenerRig rig = ListenerRig.create()) {
      BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
      var client = waiting(rig, 60_000);
      CompletableFuture<Buffer> next = leasedAfterSender(rig, pool, client);
      client.tell(new Stop());
      release(next);
      rig.assertNothingLeft();
    }
  }

  /** Returns a client that has lost its connection and waits for the next attempt. */
  private static ActorRef<RdmaConnectionProtocol.Command> waiting(ListenerRig rig, long ms) {
    var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(ms)));
    Served first = rig.accepted();
    first.connection().tell(new Stop());
    rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
    return client;
  }

  /** Lets an actor send the only buffer and end. Returns the next lease, with other content. */
  private static CompletableFuture<Buffer> leasedAfterSender(
      ListenerRig rig, BufferPool pool, ActorRef<RdmaConnectionProtocol.Command> client) {
    ActorRef<Object> sender = rig.system.kit.spawn(sender(rig, pool, client));
    rig.system.kit.createTestProbe().expectTerminated(sender);
    return pool.leaseWithin(ListenerRig.SOON)
        .thenApply(buffer -> filled(buffer, THEIRS))
        .toCompletableFuture();
  }

  private static Behavior<Object> sender(
      ListenerRig rig, BufferPool pool, ActorRef<RdmaConnectionProtocol.Command> client) {
    return Behaviors.setup(
        context -> {
          rig.clients.tell(new OwnLeases(context.getSelf(), pool, context.getSelf().narrow()));
          return Behaviors.receive(Object.class)
              .onMessage(
                  LeasesOwned.class,
                  owned -> {
                    Buffer buffer = Objects.requireNonNull(owned.leases().lease());
                    client.tell(new Send(filled(buffer, MINE), 1, context.getSelf().narrow()));
                    return Behaviors.stopped();
                  })
              .build();
        });
  }

  private static Buffer filled(Buffer buffer, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.bytes().clear().put(bytes);
    buffer.length(bytes.length);
    return buffer;
  }

  private static void release(CompletableFuture<Buffer> lease) throws Exception {
    get(lease).release();
  }

  private static Buffer get(CompletableFuture<Buffer> lease) throws Exception {
    return lease.get(ListenerRig.SOON.toSeconds(), TimeUnit.SECONDS);
  }
}
