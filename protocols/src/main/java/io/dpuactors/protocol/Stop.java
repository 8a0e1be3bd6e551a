package io.dpuactors.protocol;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Stops an engine, a context or a connection, in this order:
 *
 * <ul>
 *   <li>Engine: first every context, then memory and devices, then the progress engine, then the
 *       actor.
 *   <li>Context of tasks: tasks in flight complete; queued requests fail with {@code
 *       DOCA_ERROR_SHUTDOWN}; the context destroys its DOCA object; the actor stops.
 *   <li>Server: it accepts no further client, closes every connection (consumers and producers
 *       first), then the server stops, then the actor.
 *   <li>Connection or client: first consumers and producers, then the connection, then the actor.
 *       Messages in flight are sent within the drain deadline.
 *   <li>Consumer: posted buffers return with an error, then the actor stops. The peer is notified
 *       by {@code ConsumerLeft}.
 *   <li>Producer: tasks in flight complete within the drain deadline, waiting requests fail with
 *       {@code DOCA_ERROR_SHUTDOWN}, then the actor stops.
 *   <li>RDMA context: it refuses new connections, ends its connections, then the context stops,
 *       then the actor.
 *   <li>RDMA connection: its tasks complete within the drain deadline, then it disconnects, then
 *       the actor stops.
 * </ul>
 *
 * @param replyTo receives one {@link Stopped} at the end of the actor, also for a further Stop. An
 *     engine that has ended answers with the result of its end; another actor that has ended
 *     answers {@link Stopped#CLEAN}. Empty: no answer
 */
public record Stop(Optional<ActorRef<Stopped>> replyTo)
    implements EngineProtocol.Command,
        CompressProtocol.Command,
        DmaProtocol.Command,
        ShaProtocol.Command,
        AesGcmProtocol.Command,
        ErasureCodingProtocol.Command,
        SyncEventProtocol.Command,
        ServerProtocol.Command,
        ConnectionProtocol.Command,
        ConsumerProtocol.Command,
        ProducerProtocol.Command,
        RdmaProtocol.Command,
        RdmaListenerProtocol.Command,
        RdmaConnectionProtocol.Command {
  /** Without an answer. Watch the actor to observe the end. */
  public Stop() {
    this(Optional.empty());
  }

  /** With an answer. */
  public Stop(ActorRef<Stopped> replyTo) {
    this(Optional.of(replyTo));
  }
}
