package io.dpuactors.apps;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * The top actor of a program that is not made of actors itself: parent of one engine and of what
 * the program spawns.
 */
final class ChannelGuardian extends AbstractBehavior<ChannelGuardian.Command> {
  /** Name of the engine, and with a prefix of its thread. */
  static final String ENGINE = "channel";

  /** What it understands. */
  sealed interface Command {}

  /**
   * Spawn an actor as a child.
   *
   * @param spawning gets the parent
   */
  record Spawn(Consumer<ActorContext<Command>> spawning) implements Command {}

  /**
   * Tell when an actor has ended.
   *
   * @param ended is completed then, or at once when it has ended before
   */
  record Watch(ActorRef<?> actor, CompletableFuture<Void> ended) implements Command {}

  /** Nothing. */
  enum Nothing implements Command {
    INSTANCE
  }

  private final ActorRef<EngineProtocol.Command> engine;
  private final CompletableFuture<Void> engineEnded;
  private final Map<ActorRef<?>, CompletableFuture<Void>> watched = new HashMap<>();

  private ChannelGuardian(
      ActorContext<Command> context,
      CompletableFuture<ActorRef<EngineProtocol.Command>> started,
      CompletableFuture<Void> engineEnded) {
    super(context);
    this.engineEnded = engineEnded;
    this.engine = Engine.spawn(context, ENGINE);
    context.watch(engine);
    started.complete(engine);
  }

  /**
   * The actor.
   *
   * @param started gets the engine, or why there is none
   * @param engineEnded is completed when the engine has ended, exceptionally when it failed
   */
  static Behavior<Command> create(
      CompletableFuture<ActorRef<EngineProtocol.Command>> started,
      CompletableFuture<Void> engineEnded) {
    return Behaviors.setup(
        context -> {
          try {
            return new ChannelGuardian(context, started, engineEnded);
          } catch (RuntimeException e) {
            started.completeExceptionally(e);
            return Behaviors.stopped();
          }
        });
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Spawn.class, this::onSpawn)
        .onMessage(Watch.class, this::onWatch)
        .onMessage(Nothing.class, nothing -> this)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Command> onSpawn(Spawn spawn) {
    spawn.spawning().accept(getContext());
    return this;
  }

  private Behavior<Command> onWatch(Watch watch) {
    watched.put(watch.actor(), watch.ended());
    getContext().watch(watch.actor());
    return this;
  }

  private Behavior<Command> onTerminated(Terminated signal) {
    if (signal.getRef().equals(engine.<Void>unsafeUpcast())) {
      if (signal instanceof ChildFailed failed) {
        engineEnded.completeExceptionally(failed.getCause());
      } else {
        engineEnded.complete(null);
      }
    }
    CompletableFuture<Void> ended = watched.remove(signal.getRef());
    if (ended != null) {
      ended.complete(null);
    }
    return this;
  }
}
