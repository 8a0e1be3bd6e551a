package io.dpuactors.engine;

import io.dpuactors.protocol.BufferReply;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.FunctionRef;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.jspecify.annotations.Nullable;
import scala.runtime.BoxedUnit;

/** A request under {@link AnswerWatch}, and its first answer. Thread: any. */
final class WatchedRequest {
  /** Characters of a message in a report. */
  private static final int TEXT = 200;

  private final Object request;
  private final ActorRef<?> actor;
  private final ActorRef<Object> receiver;
  private final long sinceNs = System.nanoTime();
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();
  private final AtomicBoolean isReported = new AtomicBoolean();

  /**
   * Creates a request without an answer.
   *
   * @param actor the receiver of the request
   * @param receiver the receiver of the answer
   */
  WatchedRequest(Object request, ActorRef<?> actor, ActorRef<?> receiver) {
    this.request = request;
    this.actor = actor;
    this.receiver = receiver.unsafeUpcast();
  }

  /**
   * Returns a reference that passes answers on to the receiver.
   *
   * @param answered runs at the first answer
   * @param repeated gets a text at each further answer
   */
  ActorRef<Object> reference(
      ActorSystem<?> system, Consumer<WatchedRequest> answered, Consumer<String> repeated) {
    ExtendedActorSystem classic = (ExtendedActorSystem) Adapter.toClassic(system);
    return Adapter.toTyped(
        new FunctionRef(
            classic.provider().tempPath(),
            classic.provider(),
            classic,
            (sender, answer) -> {
              note(answer, answered, repeated);
              pass(answer);
              return BoxedUnit.UNIT;
            }));
  }

  private void note(Object answer, Consumer<WatchedRequest> answered, Consumer<String> repeated) {
    if (first.compareAndSet(null, text(answer))) {
      answered.accept(this);
    } else {
      repeated.accept(this + ": " + first.get() + ", then " + text(answer));
    }
  }

  private void pass(Object answer) {
    if (answer instanceof BufferReply reply) {
      BufferReply.forward(receiver, reply);
    } else {
      receiver.tell(answer);
    }
  }

  /** Returns true once, if the request has waited longer than the limit. */
  boolean isLate(long nowNs, long limitNs) {
    return nowNs - sinceNs > limitNs && isReported.compareAndSet(false, true);
  }

  private static String text(Object message) {
    String text = message.toString();
    return text.length() <= TEXT ? text : text.substring(0, TEXT) + "...";
  }

  @Override
  public String toString() {
    return text(request) + " to " + actor.path().toStringWithoutAddress();
  }
}
