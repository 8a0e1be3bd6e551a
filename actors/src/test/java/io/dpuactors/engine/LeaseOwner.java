package io.dpuactors.engine;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.RunningSystem;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that owns its leases of a pool, and works with them after each start. */
final class LeaseOwner {
  private LeaseOwner() {}

  /**
   * Returns the behavior.
   *
   * @param work uses the leases, and returns the next behavior
   * @param more adds further handlers
   */
  static Behavior<Object> create(
      RunningSystem system,
      BufferPool pool,
      BiFunction<LeaseScope, ActorRef<TaskReply>, Behavior<Object>> work,
      UnaryOperator<BehaviorBuilder<Object>> more) {
    return Behaviors.setup(
        context -> {
          system.engine.tell(new OwnLeases(context.getSelf(), pool, context.getSelf().narrow()));
          return more.apply(Behaviors.receive(Object.class))
              .onMessage(
                  LeasesOwned.class,
                  owned -> work.apply(owned.leases(), context.getSelf().narrow()))
              .build();
        });
  }

  /** Leases a buffer; one must be free. */
  static Buffer leased(LeaseScope leases) {
    return Objects.requireNonNull(leases.lease());
  }
}
