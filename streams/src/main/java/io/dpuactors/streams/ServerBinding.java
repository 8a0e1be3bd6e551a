package io.dpuactors.streams;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The server of {@link Comch#bind}, or the listener of {@link Rdma#bind}. Thread: any.
 *
 * @param <C> messages of the actor of the server
 */
public final class ServerBinding<C> {
  private final ActorRef<C> server;
  private final ActorRef<Binding.Command> binding;
  private final CompletionStage<Done> unbound;

  ServerBinding(
      ActorRef<C> server, ActorRef<Binding.Command> binding, CompletionStage<Done> unbound) {
    this.server = server;
    this.binding = binding;
    this.unbound = unbound;
  }

  /** Returns the actor of the server. */
  public ActorRef<C> server() {
    return server;
  }

  /**
   * Stops the server. The server closes its connections after their sent messages, and the source
   * of connections completes. Running streams fail; {@link #unbind(Duration)} waits for them.
   *
   * @return {@link #whenUnbound}
   */
  public CompletionStage<Done> unbind() {
    binding.tell(Binding.Unbind.INSTANCE);
    return unbound;
  }

  /**
   * Stops the server when the streams of its connections have ended, or after a limit. The server
   * closes connections that open after this call. Connections that wait for the downstream of the
   * source keep the server running.
   *
   * @param limit time for the streams, at most 20 days; then {@link #unbind()} follows
   * @return {@link #whenUnbound}
   */
  public CompletionStage<Done> unbind(Duration limit) {
    binding.tell(new Binding.Drain(limit));
    return unbound;
  }

  /** Returns a stage that completes after the server and its connections have closed. */
  public CompletionStage<Done> whenUnbound() {
    return unbound;
  }
}
