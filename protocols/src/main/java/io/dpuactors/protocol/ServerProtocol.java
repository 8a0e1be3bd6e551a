package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to a {@code ComchServer}. */
public final class ServerProtocol {
  private ServerProtocol() {}

  /** A message to the server. */
  public sealed interface Command extends LocalMessage permits GetConnections, Stop {}

  /** The answer to the command that opens a server. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
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
   * @param accepted number of accepted connections since the server's start
   * @param refused number of attempts that failed, arrived too late, or exceeded the limit
   */
  public record Connections(
      List<ActorRef<ConnectionProtocol.Command>> open, long accepted, long refused)
      implements LocalMessage {
    /** Copies the list. */
    public Connections {
      open = List.copyOf(open);
    }
  }
}
