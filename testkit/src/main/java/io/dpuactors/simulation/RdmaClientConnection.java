package io.dpuactors.simulation;

import io.dpuactors.protocol.RdmaClientEvent.Connected;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Opened;
import io.dpuactors.protocol.RdmaConnectionProtocol.Opening;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The connection of an RDMA client. The client opens it a few times. Some clients have a strategy
 * that also connects again after each loss. World's thread.
 */
final class RdmaClientConnection {
  /** The message to the client to open its connection, or to continue. */
  enum Next {
    OPEN,
    SEND
  }

  private static final int MAX_OPENS = 4;
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** Percentage of clients with a strategy that connects again. */
  private static final int AGAIN = 40;

  private final Run run;
  private final boolean isCalm;
  private final String name;
  private final ActorRef<RdmaProtocol.Command> owner;
  private final Answers answers;

  /** Longest wait before the strategy connects again; zero: it never does. */
  private final Duration mostBackoff;

  private @Nullable ActorRef<Command> actor;
  private boolean isConnected;
  private int opens;

  /**
   * Draws the strategy of a client.
   *
   * @param isCalm whether nothing disturbs the run
   * @param name of the client
   * @param owner context of the client
   * @param answers counts the openings
   */
  RdmaClientConnection(
      Run run, boolean isCalm, String name, ActorRef<RdmaProtocol.Command> owner, Answers answers) {
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
    this.owner = owner;
    this.answers = answers;
    this.mostBackoff = Duration.ofMillis(run.chance(AGAIN) ? run.oneOf(1, 100) : 0);
  }

  /** Returns whether the strategy connects again after a loss. */
  boolean connectsAgain() {
    return !mostBackoff.isZero();
  }

  /** Returns the actor; null while there is none. */
  @Nullable ActorRef<Command> actor() {
    return actor;
  }

  /** Returns the actor, for a disturbance; null while there is none. */
  @Nullable ActorRef<Object> target() {
    return actor == null ? null : actor.unsafeUpcast();
  }

  /** Returns whether the actor is connected. */
  boolean isConnected() {
    return isConnected;
  }

  /** Returns whether the actor is not connected and has not ended. */
  boolean isWaiting() {
    return actor != null && !isConnected;
  }

  /** Opens the connection. Returns false if it was opened often enough. */
  boolean open(ActorRef<Object> client) {
    if (opens == MAX_OPENS) {
      return false;
    }
    opens++;
    RdmaClientOptions options =
        RdmaClientOptions.of("127.0.0.1", RdmaProgram.PORT).withListener(client.narrow());
    if (connectsAgain()) {
      options = options.withSupervision(EchoOptions.again(mostBackoff));
    }
    owner.tell(new OpenRdmaClient(name, options, answers.expect("open client", client)));
    return true;
  }

  /** Sends {@link Next#OPEN} to the client, a bit later. */
  Behavior<Object> openLater(ActorContext<Object> client) {
    client.scheduleOnce(PAUSE, client.getSelf(), Next.OPEN);
    return Behaviors.same();
  }

  /** Accepts the answer to an opening. Returns the watched actor; null: the client opens later. */
  @Nullable ActorRef<Command> opened(ActorContext<Object> client, OpenReply reply) {
    answers.answered("open client");
    if (reply instanceof Opened opened) {
      run.reached("connected");
      actor = opened.context();
    } else if (reply instanceof Opening opening) {
      run.check(!isCalm, "not connected: " + opening.error());
      run.reached("client continues to connect");
      actor = opening.context();
    } else if (reply instanceof OpenFailed failed) {
      run.check(!isCalm, "not connected: " + failed.error());
      run.reached("open client " + failed.error().code());
      isConnected = false;
      openLater(client);
    }
    if (actor != null) {
      client.watch(actor);
    }
    return actor;
  }

  /** Accepts an event. The first one precedes the answer to an opening. */
  void connected(Connected event) {
    isConnected = true;
    if (event.times() > 1) {
      run.reached("client connected again");
    }
  }

  /**
   * Accepts an event: the actor has no connection now.
   *
   * @param isDone whether the client needs no connection
   */
  void lost(Lost event, boolean isDone) {
    isConnected = false;
    run.reached("client lost");
    run.check(!isCalm || isDone, "lost: %s", event.error());
  }

  /** The actor has ended. */
  void ended() {
    isConnected = false;
    actor = null;
  }
}
