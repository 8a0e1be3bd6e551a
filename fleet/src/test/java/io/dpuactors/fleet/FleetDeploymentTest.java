package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.RemoteScope;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests that a member creates no actors for other members. */
class FleetDeploymentTest extends FleetFixture {
  /** An actor of a class that each node has. */
  static final class Guest extends AbstractActor {
    Guest() {}

    @Override
    public Receive createReceive() {
      return receiveBuilder().build();
    }
  }

  /** Asks a member to create an actor on a node. */
  private record Order(HostPort node, CompletableFuture<ActorRef> guest) {}

  /** The second node permits the class, and shows that the orders reach the nodes. */
  @Test
  void aNodeCreatesNoActorForAnotherMember() throws Exception {
    Config quiet = with("pekko.loglevel", "OFF"); // a node logs each refusal
    HostPort node = node(quiet, List.of());
    HostPort permissive =
        node(
            quiet.withValue(
                "pekko.remote.deployment.allowed-actor-classes",
                ConfigValueFactory.fromIterable(List.of(Guest.class.getCanonicalName()))),
            List.of(node));
    ActorSystem<Order> member = ActorSystem.create(deployer(), "dpu", FleetConfig.client(quiet));
    systems.add(member);
    Fleet.join(member, List.of(node));
    Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(() -> Cluster.get(member).selfMember().status().equals(MemberStatus.up()));
    ActorRef refused = deploy(member, node);
    ActorRef permitted = deploy(member, permissive);
    Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(() -> identity(permitted).isPresent());
    assertThat(identity(refused)).isEmpty();
    permitted.tell(PoisonPill.getInstance(), ActorRef.noSender());
    Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(() -> identity(permitted).isEmpty());
  }

  private static Behavior<Order> deployer() {
    return Behaviors.receive(
        (context, order) -> {
          Address address = new Address("pekko", "dpu", order.node().host(), order.node().port());
          Deploy deploy = new Deploy(new RemoteScope(address));
          order
              .guest()
              .complete(Adapter.actorOf(context, Props.create(Guest.class).withDeploy(deploy)));
          return Behaviors.same();
        });
  }

  private static ActorRef deploy(ActorSystem<Order> member, HostPort node) throws Exception {
    CompletableFuture<ActorRef> guest = new CompletableFuture<>();
    member.tell(new Order(node, guest));
    return guest.get(LIMIT_S, TimeUnit.SECONDS);
  }

  /** Returns the actor, if it exists. */
  private static Optional<ActorRef> identity(ActorRef guest) throws Exception {
    Object answer =
        Patterns.ask(guest, new Identify(1), Duration.ofSeconds(LIMIT_S))
            .toCompletableFuture()
            .get(LIMIT_S, TimeUnit.SECONDS);
    return ((ActorIdentity) answer).getActorRef();
  }
}
