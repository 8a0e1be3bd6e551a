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
 * The contexts that an actor has been asked to open. Tracks each from its command, which gets
 * exactly one answer, to Terminated.
 */
public final class OpenContexts {
  /** A context actor and the recipient of the Open answer, until the answer is sent. */
  private static final class Child<C> {
    private final ActorRef<C> actor;
    private final C stop;
    private final String name;
    private final boolean keepsStarting;
    private @Nullable ActorRef<OpenReply<C>> unanswered;

    Child(
        String name,
        ActorRef<OpenReply<C>> replyTo,
        ActorRef<C> actor,
        C stop,
        boolean keepsStarting) {
      this.name = name;
      this.actor = actor;
      this.stop = stop;
      this.keepsStarting = keepsStarting;
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
      if (keepsStarting) {
        answer(new Opening<>(name, actor, error));
      } else if (unanswered != null) {
        failed(error);
        stop();
      }
    }

    /** Sends the first answer and drops all later ones. */
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
   * Adds a requested context.
   *
   * @param stop message that stops the actor
   * @param keepsStarting whether the context continues to start after its deadline
   */
  public <C> void add(
      String name,
      ActorRef<OpenReply<C>> replyTo,
      ActorRef<C> actor,
      C stop,
      boolean keepsStarting) {
    children.put(actor, new Child<>(name, replyTo, actor, stop, keepsStarting));
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
