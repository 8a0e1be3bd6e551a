package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.OpenRequest;
import io.dpuactors.protocol.Stop;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that an actor has been asked to open. Tracks each from its command, which gets
 * exactly one answer, to Terminated.
 */
public final class OpenContexts {
  /** A context actor and its Open command, until the command is answered. */
  private static final class Child<C> {
    private final ActorRef<C> actor;
    private @Nullable OpenRequest<C> unanswered;

    Child(OpenRequest<C> command, ActorRef<C> actor) {
      this.unanswered = command;
      this.actor = actor;
    }

    /** Stops the actor. Every context takes {@link Stop}. */
    void stop() {
      actor.<Object>unsafeUpcast().tell(new Stop());
    }

    /** Gives the first answer and drops all later ones. */
    void answer(Consumer<OpenRequest<C>> answer) {
      OpenRequest<C> command = unanswered;
      unanswered = null;
      if (command != null) {
        answer.accept(command);
      }
    }

    void running() {
      answer(command -> command.opened(actor));
    }

    void failed(DocaError error) {
      answer(command -> command.refuse(error));
    }

    void late(DocaError error) {
      answer(
          command -> {
            if (command.keepsStarting()) {
              command.opening(actor, error);
            } else {
              command.refuse(error);
              stop();
            }
          });
    }
  }

  private final Map<ActorRef<?>, Child<?>> children = new HashMap<>();

  /** Adds a requested context, whose actor takes {@link Stop}. */
  public <C> void add(OpenRequest<C> command, ActorRef<C> actor) {
    children.put(actor, new Child<>(command, actor));
  }

  /** Reports that the context runs. Answers the command the first time only. */
  public void running(ActorRef<?> actor) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.running();
    }
  }

  /** Fails the command, because its context could not start. */
  public void failed(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.failed(error);
    }
  }

  /** Fails all unanswered commands, because the parent ends. */
  public void failAll(DocaError error) {
    children.values().forEach(child -> child.failed(error));
  }

  /**
   * Handles an exceeded deadline. If the context does not run yet, fails its command and stops it,
   * unless it may continue to start.
   */
  public void late(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.late(error);
    }
  }

  /** Removes a context whose actor has ended. */
  public void remove(ActorRef<?> actor) {
    children.remove(actor);
  }

  public boolean isEmpty() {
    return children.isEmpty();
  }

  /** Asks all contexts to stop. */
  public void stopAll() {
    children.values().forEach(Child::stop);
  }
}
