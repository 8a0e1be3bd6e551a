package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import java.util.List;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;

/** Names that all members of a fleet use, and the way to join it. */
final class Fleet {
  /** Role of members with engines. The others are clients. */
  static final String NODE = "node";

  /** Key of the gateways of all nodes, also of those that drain. */
  static final ServiceKey<GatewayRequest> NODES =
      ServiceKey.create(GatewayRequest.class, "dpu-node");

  private Fleet() {}

  /** Returns the key of the gateways of nodes that run tasks of a kind. */
  static ServiceKey<GatewayRequest> gateways(TaskKind kind) {
    return ServiceKey.create(GatewayRequest.class, "dpu-" + kind.shortName());
  }

  /** Returns the key of the workers that ask for blocks of a kind of one job. */
  static ServiceKey<ConsumerController.Command<Block>> workers(String job, TaskKind kind) {
    return ServiceKey.create(
        ConsumerController.serviceKeyClass(), "dpu-" + kind.shortName() + "-" + job);
  }

  /**
   * Joins the cluster of the seeds, or begins a cluster without seeds. A member that is the first
   * of the seeds begins one when each other seed answers that it is in none. Any other member never
   * does: it tries to join until it ends.
   */
  static void join(ActorSystem<?> system, List<HostPort> seeds) {
    Cluster cluster = Cluster.get(system);
    Address self = cluster.selfMember().address();
    List<Address> contacts =
        seeds.isEmpty()
            ? List.of(self)
            : seeds.stream()
                .map(seed -> new Address("pekko", system.name(), seed.host(), seed.port()))
                .toList();
    cluster.manager().tell(new JoinSeedNodes(contacts));
  }

  /** Returns the name under which the user started this program, for hints. */
  static String program() {
    return System.getProperty("dpu.program", "./dpu");
  }

  /** Returns {@code HOST:PORT} of this member. */
  static String self(ActorSystem<?> system) {
    return name(Cluster.get(system).selfMember().address());
  }

  /** Returns {@code HOST:PORT} of the member of an actor. */
  static String nodeOf(ActorRef<?> actor, ActorSystem<?> system) {
    Address address = actor.path().address();
    return address.getHost().isPresent() ? name(address) : self(system);
  }

  /** Returns {@code HOST:PORT} of a member. */
  static String name(Address address) {
    return address.getHost().orElse("?") + ":" + address.getPort().orElse(0);
  }
}
