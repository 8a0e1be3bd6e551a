package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The consumers of the peer of a connection, and the requests that wait for one. Engine's thread.
 */
final class RemoteConsumers {
  /** Maximum number of consumers; a device permits far fewer per connection. */
  static final int MAX_CONSUMERS = 1024;

  private record Waiting(AwaitConsumer request, long deadlineNs) {}

  private final String connection;
  private final int bound;
  private final Set<Integer> ids = new LinkedHashSet<>();
  private final List<Waiting> waiting = new ArrayList<>();

  /**
   * Creates an empty set of consumers.
   *
   * @param bound requests that may wait for a consumer
   */
  RemoteConsumers(String connection, int bound) {
    this.connection = connection;
    this.bound = bound;
  }

  /**
   * Adds a consumer, and answers the requests that wait for one.
   *
   * @throws DocaException FULL if the peer has too many consumers
   */
  void joined(int id) {
    if (ids.size() >= MAX_CONSUMERS) {
      throw new DocaException(
          error(DocaCode.FULL, "the peer has more than " + MAX_CONSUMERS + " consumers"));
    }
    ids.add(id);
    waiting.forEach(one -> one.request.replyTo().tell(new ConsumerThere(id)));
    waiting.clear();
  }

  void left(int id) {
    ids.remove(id);
  }

  boolean contains(int id) {
    return ids.contains(id);
  }

  /** Returns the ids in order of arrival. */
  Set<Integer> ids() {
    return ids;
  }

  /** Answers the request once: now, when a consumer arrives, or at its deadline. */
  void await(AwaitConsumer request, long nowNs) {
    Iterator<Integer> oldest = ids.iterator();
    if (oldest.hasNext()) {
      request.replyTo().tell(new ConsumerThere(oldest.next()));
    } else if (waiting.size() >= bound) {
      request.refuse(
          error(DocaCode.FULL, waiting.size() + " requests already wait for a consumer"));
    } else {
      waiting.add(new Waiting(request, nowNs + Nanos.of(request.within())));
    }
  }

  void turn(long nowNs, NextTurn next) {
    if (waiting.isEmpty()) {
      return;
    }
    waiting.removeIf(
        one -> {
          boolean late = one.deadlineNs - nowNs <= 0;
          if (late) {
            one.request.refuse(timeOut(one));
          } else {
            next.at(one.deadlineNs);
          }
          return late;
        });
  }

  private DocaError timeOut(Waiting one) {
    return error(
        DocaCode.TIME_OUT, "no consumer joined within " + one.request.within().toMillis() + " ms");
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of("consumer of the peer", code, connection + ": " + why);
  }

  void close(DocaError reason) {
    ids.clear();
    waiting.forEach(one -> one.request.refuse(reason));
    waiting.clear();
  }
}
