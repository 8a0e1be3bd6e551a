package io.dpuactors.protocol.comch;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** What a {@code ComchServer} understands. */
public final class ServerProtocol {
  private ServerProtocol() {}

  /** Any message to the server. */
  public sealed interface Command {}

  /** Ask for the connections that are open. Answer: {@link Connections}. */
  public record GetConnections(ActorRef<Connections> replyTo) implements Command {}

  /**
   * A snapshot.
   *
   * @param open in the order in which they came
   * @param accepted since the server started
   * @param refused attempts that failed, came too late, or were more than the limit
   */
  public record Connections(
      List<ActorRef<ConnectionProtocol.Command>> open, long accepted, long refused) {
    /** Copies the list. */
    public Connections {
      open = List.copyOf(open);
    }
  }

  /**
   * Stop: nobody is accepted any more, every connection is closed (consumers and producers first),
   * then the server, then the actor. Watch it to know when.
   */
  public enum Stop implements Command {
    /** The only one. */
    INSTANCE
  }
}
