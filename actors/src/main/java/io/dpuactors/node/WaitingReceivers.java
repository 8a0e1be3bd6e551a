package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests for a message of a connection without a subscriber. Each request takes one message,
 * in the order of arrival. Engine's thread.
 *
 * @param <R> the requests
 * @param <E> the events of the connection, all of which are messages while requests wait
 */
final class WaitingReceivers<R extends Request, E> {
  /** A request that waits for a message. */
  private record Waiting<R>(R request, long deadlineNs, boolean isBounded) {}

  private final String connection;
  private final int bound;
  private final EventQueue<E> events;
  private final Function<R, Optional<Duration>> within;
  private final BiConsumer<R, E> answer;
  private final Queue<Waiting<R>> waiting = new ArrayDeque<>();
  private @Nullable DocaError closed;

  /**
   * Creates an empty queue.
   *
   * @param connection name for errors
   * @param bound maximum number of waiting requests
   * @param events messages that the requests take
   * @param within returns how long a request waits; empty: until the connection ends
   * @param answer answers a request with a message
   */
  WaitingReceivers(
      String connection,
      int bound,
      EventQueue<E> events,
      Function<R, Optional<Duration>> within,
      BiConsumer<R, E> answer) {
    this.connection = connection;
    this.bound = bound;
    this.events = events;
    this.within = within;
    this.answer = answer;
  }

  /** Answers a request with a message, now or later. */
  void receive(R request, long nowNs) {
    if (events.hasSubscriber()) {
      request.refuse(error(DocaCode.IN_USE, "the connection has a subscriber"));
      return;
    }
    if (waiting.size() >= bound) {
      request.refuse(error(DocaCode.FULL, waiting.size() + " receivers wait already"));
      return;
    }
    Optional<Duration> limit = within.apply(request);
    waiting.add(new Waiting<>(request, nowNs + limit.map(Nanos::of).orElse(0L), limit.isPresent()));
    answer();
  }

  /** Refuses all requests, because a subscriber receives the messages. */
  void subscribed() {
    refuse(error(DocaCode.IN_USE, "a subscriber has joined"));
  }

  /** Refuses the requests for which no message waits, now and later. */
  void close(DocaError reason) {
    closed = reason;
    answer();
  }

  /** Answers the requests for which a message waits. */
  void answer() {
    while (!waiting.isEmpty()) {
      E event = events.poll();
      if (event == null) {
        break;
      }
      answer.accept(waiting.remove().request, event);
    }
    if (closed != null) {
      refuse(closed);
    }
  }

  private void refuse(DocaError reason) {
    waiting.forEach(one -> one.request.refuse(reason));
    waiting.clear();
  }

  /** Refuses the requests whose time has passed. */
  void turn(long nowNs, NextTurn next) {
    if (waiting.isEmpty()) {
      return;
    }
    for (Iterator<Waiting<R>> each = waiting.iterator(); each.hasNext(); ) {
      Waiting<R> one = each.next();
      if (one.isBounded && one.deadlineNs - nowNs <= 0) {
        each.remove();
        long ms = within.apply(one.request).orElseThrow().toMillis();
        one.request.refuse(error(DocaCode.TIME_OUT, "no message within " + ms + " ms"));
      } else if (one.isBounded) {
        next.at(one.deadlineNs);
      }
    }
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of("receive", code, connection + ": " + why);
  }
}
