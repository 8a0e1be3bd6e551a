package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.OpenRequest;
import io.dpuactors.protocol.Stop;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
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

  /**
   * Spawns the actor of a requested context, which takes {@link Stop}, or refuses the command.
   *
   * @param parent of the actor, which it watches
   * @param behavior throws IllegalArgumentException for an option that is out of range
   * @return the actor; null if the command was refused
   */
  public <C> @Nullable ActorRef<C> open(
      ActorContext<Object> parent, OpenRequest<C> command, Supplier<Behavior<C>> behavior) {
    if (parent.getChild(command.name()).isPresent()) {
      refuse(command, DocaCode.ALREADY_EXIST, "the name is in use");
      return null;
    }
    try {
      ActorRef<C> actor =
          parent.spawn(behavior.get(), command.name(), DispatcherSelector.sameAsParent());
      parent.watch(actor);
      children.put(actor, new Child<>(command, actor));
      return actor;
    } catch (IllegalArgumentException e) {
      refuse(command, DocaCode.INVALID_VALUE, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Refuses a command to open a context. */
  public static void refuse(OpenRequest<?> command, DocaCode code, String why) {
    command.refuse(DocaError.of("open", code.value(), command.name() + ": " + why));
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
