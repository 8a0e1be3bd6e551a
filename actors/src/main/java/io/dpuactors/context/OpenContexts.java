package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that an actor has been asked to open, from the command, which gets exactly one
 * answer, to Terminated.
 */
public final class OpenContexts {
  /** A context's actor, with whom to tell that it runs, until that is told. */
  private static final class Child<C> {
    private final ActorRef<C> actor;
    private final C stop;
    private final String name;
    private @Nullable ActorRef<OpenReply<C>> unanswered;

    Child(String name, ActorRef<OpenReply<C>> replyTo, ActorRef<C> actor, C stop) {
      this.name = name;
      this.actor = actor;
      this.stop = stop;
      this.unanswered = replyTo;
    }

    void stop() {
      actor.tell(stop);
    }

    boolean isUnanswered() {
      return unanswered != null;
    }

    void running() {
      ActorRef<OpenReply<C>> asker = unanswered;
      unanswered = null;
      if (asker != null) {
        asker.tell(new Opened<>(name, actor));
      }
    }

    void failed(DocaError error) {
      ActorRef<OpenReply<C>> asker = unanswered;
      unanswered = null;
      if (asker != null) {
        asker.tell(new OpenFailed<>(name, error));
      }
    }
  }

  private final Map<ActorRef<?>, Child<?>> children = new HashMap<>();

  /**
   * A context has been asked for.
   *
   * @param stop the message that makes it stop
   */
  public <C> void add(String name, ActorRef<OpenReply<C>> replyTo, ActorRef<C> actor, C stop) {
    children.put(actor, new Child<>(name, replyTo, actor, stop));
  }

  /** It runs; only the first time answers the command. */
  public void running(ActorRef<?> actor) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.running();
    }
  }

  /** It could not be started. */
  public void failed(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.failed(error);
    }
  }

  /** Whoever opened them is no more: nobody else will answer the commands. */
  public void failAll(DocaError error) {
    children.values().forEach(child -> child.failed(error));
  }

  /** If it does not run yet, it is stopped and counts as failed. */
  public void late(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null && child.isUnanswered()) {
      child.failed(error);
      child.stop();
    }
  }

  /** Its actor has ended. */
  public void remove(ActorRef<?> actor) {
    children.remove(actor);
  }

  public boolean isEmpty() {
    return children.isEmpty();
  }

  /** Asks all of them to stop. */
  public void stopAll() {
    children.values().forEach(Child::stop);
  }
}
