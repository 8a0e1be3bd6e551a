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
 * The actors of an engine that take buffers with the requests that are sent to them, and the actor
 * systems of those who get the answers. Its thread.
 */
public final class BufferTakers {
  private final Set<ActorRef<Object>> actors = new LinkedHashSet<>();

  private Consumer<ActorRef<?>> onReceiver = receiver -> {};
  private @Nullable ActorRefProvider lastSystem;

  BufferTakers() {}

  /** Who learns of a receiver whenever its actor system is not the one of the receiver before. */
  public void onReceiver(Consumer<ActorRef<?>> listener) {
    onReceiver = listener;
  }

  /** An answer will go to this receiver. To be called before a request is taken. */
  public void expect(BufferRequest request) {
    ActorRef<?> receiver = request.replyTo();
    if (receiver instanceof ActorRefAdapter<?> adapter
        && adapter.classicRef().provider() != lastSystem) {
      lastSystem = adapter.classicRef().provider();
      onReceiver.accept(receiver);
    }
  }

  /** An actor takes buffers from now on; again after a restart. */
  public void join(ActorRef<Object> actor) {
    actors.add(actor);
  }

  /** It has ended; what it has not taken yet is refused by whoever finds it. */
  public void leave(ActorRef<Object> actor) {
    actors.remove(actor);
  }

  /** A message to each of them, behind what has been sent to them before. */
  Fence fence() {
    Fence fence = new Fence(actors.size());
    actors.forEach(actor -> actor.tell(fence));
    return fence;
  }
}
