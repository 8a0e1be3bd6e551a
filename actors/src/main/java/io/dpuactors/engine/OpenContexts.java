package io.dpuactors.engine;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol.Open;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.Opened;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** An engine's contexts, from the Open command, which gets exactly one answer, to Terminated. */
final class OpenContexts {
  /** A context's actor, with the command that nobody has answered yet. */
  private static final class Child<C> {
    private final ActorRef<C> actor;
    private final C stop;
    private @Nullable Open<C> unanswered;

    Child(Open<C> command, ActorRef<C> actor, C stop) {
      this.actor = actor;
      this.stop = stop;
      this.unanswered = command;
    }

    void stop() {
      actor.tell(stop);
    }

    boolean isUnanswered() {
      return unanswered != null;
    }

    void running() {
      Open<C> command = unanswered;
      unanswered = null;
      if (command != null) {
        command.replyTo().tell(new Opened<>(command.name(), actor));
      }
    }

    void failed(DocaError error) {
      Open<C> command = unanswered;
      unanswered = null;
      if (command != null) {
        command.replyTo().tell(new OpenFailed<>(command.name(), error));
      }
    }
  }

  private final Map<ActorRef<?>, Child<?>> children = new HashMap<>();

  /**
   * A context has been asked for.
   *
   * @param stop the message that makes it stop
   */
  <C> void add(Open<C> command, ActorRef<C> actor, C stop) {
    children.put(actor, new Child<>(command, actor, stop));
  }

  /** It runs; only the first time answers the command. */
  void running(ActorRef<?> actor) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.running();
    }
  }

  /** It could not be started. */
  void failed(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.failed(error);
    }
  }

  /** If it does not run yet, it is stopped and counts as failed. */
  void late(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null && child.isUnanswered()) {
      child.failed(error);
      child.stop();
    }
  }

  /** Its actor has ended. */
  void remove(ActorRef<?> actor) {
    children.remove(actor);
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  /** Asks all of them to stop. */
  void stopAll() {
    children.values().forEach(Child::stop);
  }
}
