package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Messages to an {@code RdmaContext}. */
public final class RdmaProtocol {
  private RdmaProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits OpenRdmaListener,
          OpenRdmaClient,
          Export,
          RdmaEventProtocol.OpenRemoteEvent,
          RdmaEventProtocol.CloseRemoteEvent,
          Stop {}

  /** The answer to the command that opens an RDMA context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /**
   * Creates the behavior on a connection.
   *
   * <p>The behavior becomes a child of the connection and receives its {@link
   * RdmaConnectionProtocol.Event events}, at most {@code dpu.rdma.credit} messages ahead of those
   * it has handled. A behavior that stops or throws closes the connection. After the end of the
   * connection it receives {@link RdmaConnectionProtocol.Closed} and is stopped.
   */
  @FunctionalInterface
  public interface PeerBehavior {
    /**
     * Called once per connection.
     *
     * @param connection executes tasks
     */
    Behavior<RdmaConnectionProtocol.Event> serve(
        ActorRef<RdmaConnectionProtocol.Command> connection);

    /**
     * Returns a behavior with a protocol of the program. Events arrive as messages of that
     * protocol, beside replies and timers.
     *
     * @param <M> messages of the behavior; no event may be one
     * @param event makes a message of an event
     * @param behavior creates the behavior on a connection
     */
    static <M> PeerBehavior of(
        Function<RdmaConnectionProtocol.Event, M> event,
        Function<ActorRef<RdmaConnectionProtocol.Command>, Behavior<M>> behavior) {
      return connection ->
          Behaviors.transformMessages(
              RdmaConnectionProtocol.Event.class,
              behavior.apply(connection),
              cases -> cases.match(RdmaConnectionProtocol.Event.class, event::apply));
    }
  }

  /**
   * Begins a connection and describes it for the peer, which exports a connection too. The program
   * carries the descriptions; each side then sends {@link RdmaConnectionProtocol.Connect} to its
   * connection.
   *
   * @param name of the connection's actor, unique below the context
   * @param behavior behavior on the connection; empty: no actor reads messages
   * @param replyTo receives an {@link ExportReply}
   */
  public record Export(String name, Optional<PeerBehavior> behavior, ActorRef<ExportReply> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ExportFailed(name, error));
    }
  }

  /**
   * Lets clients connect to a port of the context's device, by DOCA's connection manager. The
   * listener is a child of the context, and each connection is a child of the listener. A context
   * has one listener at a time. After a restart of the context, the listener listens again.
   *
   * @param port 0 to 65535
   * @param behavior behavior on each connection
   * @param replyTo receives {@link RdmaListenerProtocol.Opened} when clients can connect
   */
  public record OpenRdmaListener(
      String name,
      int port,
      PeerBehavior behavior,
      ActorRef<RdmaListenerProtocol.OpenReply> replyTo)
      implements Command, OpenRequest<RdmaListenerProtocol.Command> {
    @Override
    public void opened(ActorRef<RdmaListenerProtocol.Command> listener) {
      replyTo.tell(new RdmaListenerProtocol.Opened(name, listener));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RdmaListenerProtocol.OpenFailed(name, error));
    }
  }

  /**
   * Connects to a listener. The connection is a child of the context.
   *
   * @param replyTo receives {@link RdmaConnectionProtocol.Opened} when the client is connected
   */
  public record OpenRdmaClient(
      String name, RdmaClientOptions options, ActorRef<RdmaConnectionProtocol.OpenReply> replyTo)
      implements Command, OpenRequest<RdmaConnectionProtocol.Command> {
    @Override
    public void opened(ActorRef<RdmaConnectionProtocol.Command> client) {
      replyTo.tell(new RdmaConnectionProtocol.Opened(name, client));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RdmaConnectionProtocol.OpenFailed(name, error));
    }

    @Override
    public boolean keepsStarting() {
      return options.restarts();
    }

    @Override
    public void opening(ActorRef<RdmaConnectionProtocol.Command> client, DocaError error) {
      replyTo.tell(new RdmaConnectionProtocol.Opening(name, client, error));
    }
  }

  /** The answer to {@link Export}. */
  public sealed interface ExportReply extends LocalMessage {}

  /**
   * The connection waits for its peer.
   *
   * @param connection executes tasks once it is connected; earlier ones wait
   * @param details for the peer's {@link RdmaConnectionProtocol.Connect}
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares answers
  public record Exported(
      String name, ActorRef<RdmaConnectionProtocol.Command> connection, byte[] details)
      implements ExportReply {}

  /** The context does not run, or has no room for another connection. */
  public record ExportFailed(String name, DocaError error) implements ExportReply {}
}
