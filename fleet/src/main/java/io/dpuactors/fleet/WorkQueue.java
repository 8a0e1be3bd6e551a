package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController.RequestNext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The demand of the workers for one kind of a job. A worker that asks gets a block while there is
 * one for each waiting request. A request that waits longer gets further blocks, because the first
 * one may be at a slow node. Pekko's controller repeats the blocks of workers that leave the fleet.
 * Thread: its context's.
 */
final class WorkQueue {
  /** A request whose block is at a slow node gets another one after this time. */
  private static final Duration OVERLOOKED = Duration.ofMillis(300);

  private final TaskKind kind;
  private final String job;
  private final OpenBlocks open;
  private final ActorRef<AttachReply> client;
  private final Set<String> attached = new HashSet<>();
  private Set<ActorRef<GatewayRequest>> gateways = Set.of();
  private @Nullable RequestNext<Block> demand;
  private int owed;

  /**
   * Creates an empty queue and its controller.
   *
   * @param open the requests of the job
   * @param client receives the replies of gateways; nodes serve the job until it ends
   * @param demands receives the requests of workers, and passes them to {@link #onDemand}
   */
  WorkQueue(
      ActorContext<?> context,
      TaskKind kind,
      String job,
      OpenBlocks open,
      ActorRef<AttachReply> client,
      ActorRef<RequestNext<Block>> demands) {
    this.kind = kind;
    this.job = job;
    this.open = open;
    this.client = client;
    ActorRef<WorkPullingProducerController.Command<Block>> controller =
        context.spawn(
            WorkPullingProducerController.create(
                Block.class,
                kind.shortName() + "-" + job,
                Fleet.workers(job, kind),
                Optional.empty()),
            kind.shortName());
    controller.tell(new WorkPullingProducerController.Start<>(demands));
  }

  /** Adds a block for a request that waits. */
  void add() {
    owed++;
    send();
  }

  void onDemand(RequestNext<Block> next) {
    demand = next;
    send();
  }

  /** Sends a block if a worker has asked for one and a request needs one. */
  void send() {
    RequestNext<Block> next = demand;
    if (next != null && (owed > 0 || open.isOverlooked(kind, OVERLOOKED))) {
      demand = null;
      owed = Math.max(0, owed - 1);
      next.sendNextTo().tell(open.offer(kind));
    }
  }

  /** Sets the present nodes of the kind, and asks all of them to work for this job. */
  void onGateways(Set<ActorRef<GatewayRequest>> present) {
    gateways = Set.copyOf(present);
    attach();
  }

  /** Asks all nodes to work for this job. Nodes that do so already only answer again. */
  void attach() {
    gateways.forEach(gateway -> gateway.tell(new Attach(FleetMessage.PROTOCOL, job, kind, client)));
  }

  void onAttached(String node) {
    attached.add(node);
  }

  boolean isServed() {
    return !attached.isEmpty();
  }
}
