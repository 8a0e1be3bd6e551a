package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.wire.DmaOffer;
import io.dpuactors.wire.WireException;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The server's end of the DMA service: a {@code ConnectionBehavior} that sends the export and
 * receives {@code done} when the client has copied. The client's device moves the data. Any other
 * message, or a consumer, closes the connection. A client that stays after {@code done} loses its
 * connection.
 */
public final class MemoryOffer {
  /** Time after {@code done} for a client to close the connection. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private enum Tick {
    LATE
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final Duration limit;

  private MemoryOffer(ActorContext<Object> context, TimerScheduler<Object> timers, Duration limit) {
    this.context = context;
    this.timers = timers;
    this.limit = limit;
  }

  /**
   * Returns a behavior that offers the same memory to all clients. The export must outlive the
   * server.
   */
  public static ConnectionBehavior of(DmaOffer offer) {
    return of(offer, LIMIT);
  }

  static ConnectionBehavior of(DmaOffer offer, Duration limit) {
    byte[] message = offer.encode();
    return connection ->
        Behaviors.<Object>setup(
                context ->
                    Behaviors.withTimers(
                        timers ->
                            new MemoryOffer(context, timers, limit).begin(connection, message)))
            .narrow();
  }

  private Behavior<Object> begin(ActorRef<ConnectionProtocol.Command> connection, byte[] message) {
    connection.tell(Send.orFail(message));
    return Behaviors.receive(Object.class)
        .onMessage(Message.class, this::onMessage)
        .onMessage(ConsumerJoined.class, joined -> close("it opened a consumer"))
        .onMessageEquals(Tick.LATE, this::onLate)
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  /** Begins the limit once: a client that repeats {@code done} gets no more time. */
  private Behavior<Object> onMessage(Message message) {
    try {
      DmaOffer.checkDone(message.bytes());
    } catch (WireException e) {
      return close(String.valueOf(e.getMessage()));
    }
    if (!timers.isTimerActive(Tick.LATE)) {
      timers.startSingleTimer(Tick.LATE, limit);
    }
    return Behaviors.same(); // the client closes the connection
  }

  private Behavior<Object> onLate() {
    return close("it has stayed for %d ms after its copies".formatted(limit.toMillis()));
  }

  private Behavior<Object> close(String why) {
    context.getLog().warn("closing the connection of a DMA client: {}", why);
    return Behaviors.stopped();
  }
}
