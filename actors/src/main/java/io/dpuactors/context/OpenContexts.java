package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.Opening;
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
    private final boolean goesOn;
    private @Nullable ActorRef<OpenReply<C>> unanswered;

    Child(String name, ActorRef<OpenReply<C>> replyTo, ActorRef<C> actor, C stop, boolean goesOn) {
      this.name = name;
      this.actor = actor;
      this.stop = stop;
      this.goesOn = goesOn;
      this.unanswered = replyTo;
    }

    void stop() {
      actor.tell(stop);
    }

    void running() {
      answer(new Opened<>(name, actor));
    }

    void failed(DocaError error) {
      answer(new OpenFailed<>(name, error));
    }

    void late(DocaError error) {
      if (goesOn) {
        answer(new Opening<>(name, actor, error));
      } else if (unanswered != null) {
        failed(error);
        stop();
      }
    }

    /** The first answer is the only one. */
    private void answer(OpenReply<C> reply) {
      ActorRef<OpenReply<C>> asker = unanswered;
      unanswered = null;
      if (asker != null) {
        asker.tell(reply);
      }
    }
  }

  private final Map<ActorRef<?>, Child<?>> children = new HashMap<>();

  /**
   * A context has been asked for.
   *
   * @param stop the message that makes it stop
   * @param goesOn whether it may go on trying when it is late
   */
  public <C> void add(
      String name, ActorRef<OpenReply<C>> replyTo, ActorRef<C> actor, C stop, boolean goesOn) {
    children.put(actor, new Child<>(name, replyTo, actor, stop, goesOn));
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

  /** If it does not run yet, it is stopped and counts as failed, unless it may go on trying. */
  public void late(ActorRef<?> actor, DocaError error) {
    Child<?> child = children.get(actor);
    if (child != null) {
      child.late(error);
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
