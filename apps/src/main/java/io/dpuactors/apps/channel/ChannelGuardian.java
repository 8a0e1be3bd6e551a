package io.dpuactors.apps.channel;

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
 * Guardian of a program that contains no actors itself: parent of one engine and of the actors that
 * the program spawns.
 */
final class ChannelGuardian extends AbstractBehavior<ChannelGuardian.Command> {
  /** Name of the engine. The engine's thread has this name with a prefix. */
  static final String ENGINE = "channel";

  /** Command for this actor. */
  sealed interface Command {}

  /**
   * Spawns an actor as a child.
   *
   * @param spawning called with the parent's context
   */
  record Spawn(Consumer<ActorContext<Command>> spawning) implements Command {}

  /**
   * Watches an actor.
   *
   * @param ended completed when the actor stops, or at once if it has stopped before
   */
  record Watch(ActorRef<?> actor, CompletableFuture<Void> ended) implements Command {}

  /** Command without effect, for an ask that sends its request to another actor. */
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
   * Creates the behavior.
   *
   * @param started completed with the engine, or with the error of its start
   * @param engineEnded completed when the engine stops; exceptionally when it failed
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
