package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController.RequestNext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of one kind of a job that wait for a worker. A block leaves when a worker asks for it.
 * Pekko's controller repeats the blocks of workers that leave the fleet. Thread: its context's.
 */
final class WorkQueue {
  private final TaskKind kind;
  private final String job;
  private final ActorRef<AttachReply> client;
  private final Deque<Block> ready = new ArrayDeque<>();
  private final Set<String> attached = new HashSet<>();
  private Set<ActorRef<GatewayRequest>> gateways = Set.of();
  private @Nullable RequestNext<Block> demand;

  /**
   * Creates an empty queue and its controller.
   *
   * @param client receives the replies of gateways; nodes serve the job until it ends
   * @param demands receives the requests of workers, and passes them to {@link #onDemand}
   */
  WorkQueue(
      ActorContext<?> context,
      TaskKind kind,
      String job,
      ActorRef<AttachReply> client,
      ActorRef<RequestNext<Block>> demands) {
    this.kind = kind;
    this.job = job;
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

  /** Adds a block behind the others. */
  void add(Block block) {
    ready.addLast(block);
    send();
  }

  /** Adds a block again, before the others. */
  void repeat(Block block) {
    ready.addFirst(block);
    send();
  }

  void onDemand(RequestNext<Block> next) {
    demand = next;
    send();
  }

  private void send() {
    RequestNext<Block> next = demand;
    if (next != null && !ready.isEmpty()) {
      demand = null;
      next.sendNextTo().tell(ready.removeFirst());
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
