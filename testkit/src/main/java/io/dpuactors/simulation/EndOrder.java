package io.dpuactors.simulation;

import io.dpuactors.node.NodeEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.internal.adapter.ActorAdapter;
import org.apache.pekko.actor.typed.internal.adapter.ComposedStoppingBehavior;

/**
 * The order of the ends in the tree of an engine's actors. An engine, a context or a connection
 * stops itself after the end of all its children. Pekko would stop the children of an actor that
 * does not wait, but their native objects could outlive those of their parent.
 *
 * <p>An actor need not wait if it has failed, or if another actor ends it. World's thread.
 */
final class EndOrder implements Trace.Observer {
  /** Packages of the messages that only an engine and its contexts handle. */
  private static final Set<String> OWN_MESSAGES =
      Set.of("io.dpuactors.context", "io.dpuactors.engine", "io.dpuactors.node");

  /** Messages of these packages that report a failure of the context or of the engine's device. */
  private static final Set<String> FAILURES = Set.of("Failed", "DeviceFailed");

  private final Consumer<String> fail;

  /** The actors of engines, and whether they have failed since they ran. */
  private final Map<ActorRef, Boolean> failed = new HashMap<>();

  /**
   * Creates the check of a run.
   *
   * @param fail accepts a violation
   */
  EndOrder(Consumer<String> fail) {
    this.fail = fail;
  }

  @Override
  public void handled(ActorRef actor, Object message) {
    Class<?> type = message.getClass();
    boolean isOwn = OWN_MESSAGES.contains(type.getPackageName());
    if (!isOwn && !(message instanceof PoisonSignal)) {
      return;
    }
    if (!isOwn || FAILURES.contains(type.getSimpleName())) {
      failed.put(actor, true);
    } else if (message instanceof NodeEvent.Running) {
      failed.put(actor, false);
    } else {
      failed.putIfAbsent(actor, false);
    }
  }

  /** {@inheritDoc} The step in which an actor stops itself tells its children to stop. */
  @Override
  public void afterStep(ActorCell actor) {
    if (hasStopped(actor) && Boolean.FALSE.equals(failed.remove(actor.self()))) {
      List<String> left = new ArrayList<>();
      actor.getChildren().forEach(child -> left.add(child.path().name()));
      if (!left.isEmpty()) {
        fail.accept("%s stops before its children: %s".formatted(actor.self().path().name(), left));
      }
    }
  }

  private static boolean hasStopped(ActorCell actor) {
    return actor.actor() instanceof ActorAdapter<?> adapter
        && adapter.currentBehavior() instanceof ComposedStoppingBehavior;
  }
}
