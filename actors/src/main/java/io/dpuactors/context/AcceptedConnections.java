package io.dpuactors.context;

import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.protocol.Stop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The connections that an actor has accepted, as its children. Engine's thread.
 *
 * @param <C> messages of a connection, which takes {@link Stop}
 */
public final class AcceptedConnections<C> implements ContextLife.Parts {
  private final ActorContext<Object> context;
  private final Runnable stopAccepting;
  private final Map<ActorRef<?>, ActorRef<C>> children = new LinkedHashMap<>();

  /**
   * Creates the empty set of an actor.
   *
   * @param stopAccepting refuses connections from now on
   */
  public AcceptedConnections(ActorContext<Object> context, Runnable stopAccepting) {
    this.context = context;
    this.stopAccepting = stopAccepting;
  }

  /** Spawns and watches the actor of a connection. */
  public void add(Behavior<C> connection, String name) {
    ActorRef<C> child = context.spawn(connection, name, LosslessMailbox.sameAsParent());
    context.watch(child);
    children.put(child, child);
  }

  /** Returns the connections whose actors have not ended. */
  public List<ActorRef<C>> list() {
    return List.copyOf(children.values());
  }

  @Override
  public void stop() {
    stopAccepting.run();
    children.values().forEach(child -> child.<Object>unsafeUpcast().tell(new Stop()));
  }

  @Override
  public void forget(ActorRef<?> ended) {
    children.remove(ended);
  }

  @Override
  public boolean isEmpty() {
    return children.isEmpty();
  }
}
