package io.dpuactors.context;

import com.typesafe.config.ConfigException;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.OpenRequest;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that an actor has been asked to open, as its children. Tracks each from its command,
 * which gets exactly one answer, to Terminated.
 */
public final class OpenContexts {
  /** Fires when an Open command has exceeded its deadline. */
  private record OpenDeadline(ActorRef<?> context) implements LocalMessage {}

  /** A context actor and its Open command, until the command is answered. */
  private static final class Child<C> {
    private final ActorRef<C> actor;
    private @Nullable OpenRequest<C> unanswered;
    private Optional<String> device = Optional.empty();

    /** No timer of the actor: a restart of the actor cancels those, and children may survive it. */
    private Cancellable deadline = Cancellable.alreadyCancelled();

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

    void running(Optional<String> address) {
      deadline.cancel();
      device = address;
      answer(command -> command.opened(actor));
    }

    void failed(DocaError error) {
      deadline.cancel();
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

  private final ActorContext<Object> parent;
  private final String noun;
  private final Duration deadline;
  private final Map<ActorRef<?>, Child<?>> children = new HashMap<>();
  private boolean isStopping;

  /**
   * Creates the empty set of an actor.
   *
   * @param parent the actor, which spawns and watches the contexts
   * @param noun names the actor in errors, such as "engine"
   * @param deadline longest time from a command to its answer; zero: none
   */
  public OpenContexts(ActorContext<Object> parent, String noun, Duration deadline) {
    this.parent = parent;
    this.noun = noun;
    this.deadline = deadline;
  }

  /** Adds the handlers of the contexts' events. */
  public BehaviorBuilder<Object> events(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(ContextEvent.Running.class, this::onRunning)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed)
        .onMessage(OpenDeadline.class, this::onOpenDeadline);
  }

  /**
   * Spawns the actor of a requested context, which takes {@link Stop}, or refuses the command.
   *
   * @param behavior throws IllegalArgumentException or ConfigException for an option that is out of
   *     range; any other exception is logged and refuses the command too, and the actor continues
   */
  public <C> Behavior<Object> open(OpenRequest<C> command, Supplier<Behavior<C>> behavior) {
    if (isStopping) {
      refuse(command, DocaCode.SHUTDOWN, "the " + noun + " is stopping");
    } else if (parent.getChild(command.name()).isPresent()) {
      refuse(command, DocaCode.ALREADY_EXIST, "the name is in use");
    } else if (!ActorPath.isValidPathElement(command.name())) {
      refuse(command, DocaCode.INVALID_VALUE, "this is no name of an actor");
    } else {
      try {
        spawn(command, behavior.get());
      } catch (IllegalArgumentException | ConfigException e) {
        refuse(command, DocaCode.INVALID_VALUE, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        parent.getLog().error("cannot open {}", command.name(), e);
        refuse(command, DocaCode.UNEXPECTED, e.toString());
      }
    }
    return Behaviors.same();
  }

  private <C> void spawn(OpenRequest<C> command, Behavior<C> behavior) {
    ActorRef<C> actor = parent.spawn(behavior, command.name(), LosslessMailbox.sameAsParent());
    parent.watch(actor);
    Child<C> child = new Child<>(command, actor);
    children.put(actor, child);
    if (!deadline.isZero()) {
      child.deadline = parent.scheduleOnce(deadline, parent.getSelf(), new OpenDeadline(actor));
    }
  }

  private static void refuse(OpenRequest<?> command, DocaCode code, String why) {
    command.refuse(error(code, command.name() + ": " + why));
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("open", code, why);
  }

  /** Answers the command the first time only. */
  private Behavior<Object> onRunning(ContextEvent.Running event) {
    Child<?> child = children.get(event.context());
    if (child != null && !isStopping) {
      child.running(event.device());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onStartFailed(ContextEvent.StartFailed event) {
    failed(event.context(), event.error());
    return Behaviors.same();
  }

  private void failed(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.failed(error);
    }
  }

  /** Fails the command and stops its context, unless the context may continue to start. */
  private Behavior<Object> onOpenDeadline(OpenDeadline event) {
    Child<?> child = children.get(event.context());
    if (child != null) {
      child.late(
          error(
              DocaCode.TIME_OUT,
              "%s did not run within %d ms"
                  .formatted(event.context().path().name(), deadline.toMillis())));
    }
    return Behaviors.same();
  }

  /** Fails all unanswered commands, because the actor ends. */
  public void failAll() {
    DocaError ended = error(DocaCode.SHUTDOWN, "the " + noun + " has ended");
    children.values().forEach(child -> child.failed(ended));
  }

  /** Removes an actor that has ended. Does nothing if it is not a context. */
  public void forget(ActorRef<?> actor) {
    failed(actor, error(DocaCode.SHUTDOWN, actor.path().name() + " ended before it ran"));
    children.remove(actor);
  }

  public boolean isEmpty() {
    return children.isEmpty();
  }

  /** Refuses commands from now on. */
  public void refuseFurther() {
    isStopping = true;
  }

  /** Asks all contexts to stop, and refuses commands from now on. */
  public void stopAll() {
    refuseFurther();
    children.values().forEach(Child::stop);
  }

  /** Returns whether commands are refused. */
  public boolean isStopping() {
    return isStopping;
  }

  /** Returns the PCI address of a context; empty if it has not run or has ended. */
  public Optional<String> device(ActorRef<?> context) {
    Child<?> child = children.get(context);
    return child == null ? Optional.empty() : child.device;
  }
}
