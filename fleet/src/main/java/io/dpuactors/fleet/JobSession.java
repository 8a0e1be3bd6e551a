package io.dpuactors.fleet;

import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.Block;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;

/**
 * The workers of one job on a node. The session ends when the client has ended or has left the
 * fleet, and after {@link Drain} with its last worker.
 */
final class JobSession {
  /** Lets the workers finish the blocks that they have taken. */
  enum Drain {
    /** The only instance. */
    INSTANCE
  }

  private final ActorContext<Drain> context;
  private final Attach job;

  private JobSession(ActorContext<Drain> context, NodeWork work, Attach job) {
    this.context = context;
    this.job = job;
    ServiceKey<ConsumerController.Command<Block>> key = Fleet.workers(job.job(), job.kind());
    int workers = FleetSettings.of(context.getSystem()).workers();
    for (int i = 0; i < workers; i++) {
      context.watch(context.spawn(BlockConsumer.create(work, key), "worker-" + i));
    }
    context.watch(job.client());
  }

  static Behavior<Drain> create(NodeWork work, Attach job) {
    return Behaviors.setup(context -> new JobSession(context, work, job).behavior());
  }

  private Behavior<Drain> behavior() {
    return Behaviors.receive(Drain.class)
        .onMessage(Drain.class, m -> onDrain())
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Drain> onDrain() {
    context
        .getChildren()
        .forEach(
            worker ->
                worker.<BlockConsumer.Command>unsafeUpcast().tell(BlockConsumer.Drain.INSTANCE));
    return Behaviors.same();
  }

  private Behavior<Drain> onTerminated(Terminated ended) {
    boolean isClient = ended.getRef().equals(job.client().<Void>unsafeUpcast());
    return isClient || context.getChildren().isEmpty() ? Behaviors.stopped() : Behaviors.same();
  }
}
