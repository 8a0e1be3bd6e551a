package io.dpuactors.service;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.wire.PingPong;
import io.dpuactors.wire.WireException;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The client's end of the ping service. The client sends the next ping when the pong of the
 * previous ping has arrived, then replies and closes the connection. On the engine's thread, a
 * round trip contains no other thread's wake-up. The client fails after 30 s without a pong.
 */
public final class Ping extends AbstractBehavior<Object> {
  private enum Tick {
    CHECK
  }

  /** Result of a run. */
  public sealed interface Result {}

  /**
   * All pongs have arrived.
   *
   * @param elapsedNs time from the first ping to the last pong
   */
  public record Pinged(long count, int size, long elapsedNs) implements Result {}

  /**
   * The run failed.
   *
   * @param why message for users
   */
  public record PingFailed(String why) implements Result {}

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final byte[] ping;
  private final long count;
  private final LongConsumer roundTripNs;
  private final ActorRef<? super Result> replyTo;
  private final StallCheck stall = new StallCheck();
  private long pongs;
  private long beginNs;
  private long sentNs;
  private boolean answered;

  private Ping(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<ConnectionProtocol.Command> connection,
      long count,
      int size,
      LongConsumer roundTripNs,
      ActorRef<? super Result> replyTo) {
    super(context);
    this.connection = connection;
    this.ping = PingPong.ping(size);
    this.count = count;
    this.roundTripNs = roundTripNs;
    this.replyTo = replyTo;
    timers.startTimerWithFixedDelay(Tick.CHECK, TransferEnd.LIMIT.dividedBy(StallCheck.CHECKS));
  }

  /**
   * Uses one connection, as its subscriber or as its behavior.
   *
   * @param count number of pings, at least 1
   * @param size bytes of each ping, at least 4
   * @param roundTripNs receives each round trip; called on this actor's thread
   * @param replyTo receives one {@link Result}
   */
  public static Behavior<ConnectionEvent> create(
      ActorRef<ConnectionProtocol.Command> connection,
      long count,
      int size,
      LongConsumer roundTripNs,
      ActorRef<? super Result> replyTo) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new Ping(context, timers, connection, count, size, roundTripNs, replyTo)
                            .begin()))
        .narrow();
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(ConnectionEvent.Message.class, this::onMessage)
        .onMessage(ConnectionEvent.Closed.class, this::onClosed)
        .onMessageEquals(Tick.CHECK, this::onCheck)
        .onAnyMessage(event -> this)
        .build();
  }

  private Behavior<Object> begin() {
    beginNs = System.nanoTime();
    send(beginNs);
    return this;
  }

  private void send(long nowNs) {
    sentNs = nowNs;
    connection.tell(Send.orFail(ping));
  }

  private Behavior<Object> onMessage(ConnectionEvent.Message message) {
    long now = System.nanoTime();
    try {
      PingPong.checkPong(ping, message.bytes());
    } catch (WireException e) {
      return end(new PingFailed("pong " + (pongs + 1) + ": " + e.getMessage()));
    }
    roundTripNs.accept(now - sentNs);
    if (++pongs == count) {
      return end(new Pinged(count, ping.length, now - beginNs));
    }
    send(System.nanoTime());
    return this;
  }

  private Behavior<Object> onClosed(ConnectionEvent.Closed closed) {
    return end(
        new PingFailed(
            "the connection ended after %d of %d pongs%s"
                .formatted(pongs, count, closed.error().map(Ping::because).orElse(""))));
  }

  /** Leaves a server that no longer answers. A timer for each pong would slow the measurement. */
  private Behavior<Object> onCheck() {
    return stall.isStalled(pongs, true)
        ? end(
            new PingFailed(
                "the server sent nothing for %d s".formatted(TransferEnd.LIMIT.toSeconds())))
        : this;
  }

  private static String because(DocaError error) {
    return ": " + error;
  }

  private Behavior<Object> end(Result result) {
    if (!answered) {
      answered = true;
      replyTo.tell(result);
      connection.tell(new Stop());
    }
    return Behaviors.stopped();
  }
}
