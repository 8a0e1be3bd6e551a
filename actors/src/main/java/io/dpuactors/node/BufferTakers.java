package io.dpuactors.node;

import io.dpuactors.protocol.BufferRequest;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The actors of an engine that take buffers with their requests, and the actor systems of the
 * receivers of answers. Engine's thread.
 */
public final class BufferTakers {
  private final Set<ActorRef<Object>> actors = new LinkedHashSet<>();

  private Consumer<ActorRef<?>> onReceiver = receiver -> {};
  private @Nullable ActorRefProvider lastSystem;

  BufferTakers() {}

  /**
   * Sets the listener for receivers. The listener is called when the actor system of a receiver
   * differs from the one before.
   */
  public void onReceiver(Consumer<ActorRef<?>> listener) {
    onReceiver = listener;
  }

  /** Announces the receiver of an answer. Must be called before a request is taken. */
  public void expect(BufferRequest request) {
    ActorRef<?> receiver = request.replyTo();
    if (receiver instanceof ActorRefAdapter<?> adapter
        && adapter.classicRef().provider() != lastSystem) {
      lastSystem = adapter.classicRef().provider();
      onReceiver.accept(receiver);
    }
  }

  /** Adds an actor that takes buffers. Called again after each restart. */
  public void join(ActorRef<Object> actor) {
    actors.add(actor);
  }

  /** Returns whether the actor takes buffers. */
  boolean contains(ActorRef<Object> actor) {
    return actors.contains(actor);
  }

  /**
   * Removes an actor that has ended. Requests in its mailbox become dead letters and are refused.
   */
  public void leave(ActorRef<Object> actor) {
    actors.remove(actor);
  }

  /**
   * Sends a marker to each of the actors. The marker follows all earlier messages in their
   * mailboxes.
   */
  MailboxMarker sendMarker() {
    MailboxMarker marker = new MailboxMarker(actors.size());
    actors.forEach(actor -> actor.tell(marker));
    return marker;
  }
}
