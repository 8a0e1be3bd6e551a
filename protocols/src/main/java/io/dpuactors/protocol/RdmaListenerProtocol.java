package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to an {@code RdmaListener}. */
public final class RdmaListenerProtocol {
  private RdmaListenerProtocol() {}

  /** A message to the listener. */
  public sealed interface Command extends LocalMessage permits GetConnections, Stop {}

  /** The answer to the command that opens a listener. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** Clients can connect. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The port is in use, or the context has a listener or does not run. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** Asks for the open connections. Answer: {@link Connections}; none when it has ended. */
  public record GetConnections(ActorRef<Connections> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new Connections(List.of(), 0, 0));
    }
  }

  /**
   * A snapshot.
   *
   * @param open connections in order of their arrival
   * @param accepted number of accepted connections since the context's start
   * @param refused number of requests that failed or arrived too late
   */
  public record Connections(
      List<ActorRef<RdmaConnectionProtocol.Command>> open, long accepted, long refused)
      implements LocalMessage {
    /** Copies the list. */
    public Connections {
      open = List.copyOf(open);
    }
  }
}
