package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionProtocol;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Runs one session actor per connection. A session may outlive its connection: the behavior of a
 * connection ends with the connection, while buffers that it lent are still in use. The session
 * receives these buffers.
 *
 * <pre>
 *   ComchServer                          Sessions
 *     ComchConnection                      session      all events, Closed when the connection is gone
 *       {@link #connections behavior}  --events-->
 * </pre>
 *
 * <p>A session closes its connection when it stops. A session that throws, also at its creation,
 * closes only its connection. The census reports the buffers that it held as missing.
 */
public final class Sessions extends AbstractBehavior<Sessions.Command> {
  /** Command for this actor. */
  public sealed interface Command permits Stop, Internal {}

  /**
   * Stops this actor after the last session has stopped. Stop the server first: this actor still
   * accepts new connections.
   */
  public enum Stop implements Command {
    /** The only instance. */
    INSTANCE
  }

  private sealed interface Internal extends Command {}

  private record Joined(ActorRef<ConnectionProtocol.Command> connection) implements Internal {}

  private record EventReceived(
      ActorRef<ConnectionProtocol.Command> connection, ConnectionEvent event) implements Internal {}

  private record ConnectionEnded(ActorRef<ConnectionProtocol.Command> connection)
      implements Internal {}

  private record SessionEnded(ActorRef<ConnectionProtocol.Command> connection)
      implements Internal {}

  private final ConnectionBehavior behavior;
  private final Map<ActorRef<ConnectionProtocol.Command>, ActorRef<ConnectionEvent>> sessions =
      new HashMap<>();
  private boolean stopping;

  private Sessions(ActorContext<Command> context, ConnectionBehavior behavior) {
    super(context);
    this.behavior = behavior;
  }

  /**
   * Creates the parent of all sessions of a server. Sessions run on its dispatcher; the engine's
   * dispatcher is the fastest.
   *
   * @param behavior creates each session, which gets {@link Closed} at least once and must stop
   *     after it
   */
  public static Behavior<Command> create(ConnectionBehavior behavior) {
    return Behaviors.setup(context -> new Sessions(context, behavior));
  }

  /** Returns the connection behavior for the server's open command. */
  public static ConnectionBehavior connections(ActorRef<Command> sessions) {
    return connection ->
        Behaviors.setup(
            context -> {
              sessions.tell(new Joined(connection));
              return Behaviors.receiveMessage(
                  event -> {
                    sessions.tell(new EventReceived(connection, event));
                    return Behaviors.same();
                  });
            });
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(EventReceived.class, this::onEventReceived)
        .onMessage(Joined.class, this::onJoined)
        .onMessage(ConnectionEnded.class, this::onConnectionEnded)
        .onMessage(SessionEnded.class, this::onSessionEnded)
        .onMessage(Stop.class, stop -> onStop())
        .build();
  }

  private Behavior<Command> onJoined(Joined joined) {
    ActorRef<ConnectionProtocol.Command> connection = joined.connection();
    ActorRef<ConnectionEvent> session =
        getContext()
            .spawnAnonymous( // a factory that throws ends only its session
                Behaviors.<ConnectionEvent>setup(context -> behavior.serve(connection)),
                DispatcherSelector.sameAsParent());
    sessions.put(connection, session);
    getContext().watchWith(session, new SessionEnded(connection));
    getContext().watchWith(connection, new ConnectionEnded(connection));
    return this;
  }

  private Behavior<Command> onEventReceived(EventReceived received) {
    ActorRef<ConnectionEvent> session = sessions.get(received.connection());
    if (session != null) {
      session.tell(received.event());
    }
    return this;
  }

  private Behavior<Command> onConnectionEnded(ConnectionEnded ended) {
    ActorRef<ConnectionEvent> session = sessions.get(ended.connection());
    if (session != null) {
      session.tell(new Closed(Optional.empty()));
    }
    return this;
  }

  private Behavior<Command> onSessionEnded(SessionEnded ended) {
    sessions.remove(ended.connection());
    ended.connection().tell(new io.dpuactors.protocol.Stop());
    return onceEmpty();
  }

  private Behavior<Command> onStop() {
    stopping = true;
    return onceEmpty();
  }

  private Behavior<Command> onceEmpty() {
    return stopping && sessions.isEmpty() ? Behaviors.stopped() : this;
  }
}
