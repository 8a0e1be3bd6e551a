package io.dpuactors.engine;

import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The messages in the mailbox of an engine that ends without {@code Stop}. The engine waits for its
 * leases, and the senders may wait for answers before they return leases. The engine therefore
 * refuses new requests at once. Commands that close memory, and all other messages, become dead
 * letters after the engine has closed its resources. Engine's thread.
 */
final class WaitingMessages {
  private final ActorCell engine;
  private final DeadRequests deadRequests;
  private final List<Envelope> kept = new ArrayList<>();

  private WaitingMessages(ActorContext<?> context, DeadRequests deadRequests) {
    this.engine = (ActorCell) Adapter.toClassic(context);
    this.deadRequests = deadRequests;
  }

  /**
   * Runs the end of an engine.
   *
   * @param end accepts the action that refuses the requests of the moment
   */
  static <T> T duringEnd(
      ActorContext<?> engine, DeadRequests deadRequests, Function<Runnable, T> end) {
    WaitingMessages waiting = new WaitingMessages(engine, deadRequests);
    try {
      return end.apply(waiting::refuse);
    } finally {
      waiting.release();
    }
  }

  /** Takes all messages, and refuses requests that need a running engine. */
  private void refuse() {
    for (Envelope next = take(); next != null; next = take()) {
      if (next.message() instanceof Request request && !closes(request)) {
        deadRequests.refuse(request, engine.self());
      } else {
        kept.add(next);
      }
    }
  }

  private @Nullable Envelope take() {
    return engine.mailbox().dequeue();
  }

  private static boolean closes(Request request) {
    return request instanceof ClosePool || request instanceof CloseBuffers;
  }

  /** Makes the taken messages dead letters. */
  private void release() {
    ActorRef letters = engine.system().deadLetters();
    kept.forEach(
        one ->
            letters.tell(new DeadLetter(one.message(), one.sender(), engine.self()), one.sender()));
    kept.clear();
  }
}
