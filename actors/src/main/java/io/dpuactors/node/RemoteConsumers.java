package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.comch.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.ConsumerThere;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The consumers that the peer of a connection has, and who waits for one. Engine's thread. */
final class RemoteConsumers {
  private record Waiting(AwaitConsumer request, long deadlineNs) {}

  private final Set<Integer> ids = new LinkedHashSet<>();
  private final List<Waiting> waiting = new ArrayList<>();

  void joined(int id) {
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

  /** In the order in which they came. */
  Set<Integer> ids() {
    return ids;
  }

  /** Is answered once: now, when one comes, or when the time is over. */
  void await(AwaitConsumer request, long nowNs) {
    Iterator<Integer> oldest = ids.iterator();
    if (oldest.hasNext()) {
      request.replyTo().tell(new ConsumerThere(oldest.next()));
    } else {
      waiting.add(new Waiting(request, nowNs + Nanos.of(request.within())));
    }
  }

  /** Whether nobody waits for one. */
  boolean isAtRest() {
    return waiting.isEmpty();
  }

  void turn(long nowNs) {
    if (waiting.isEmpty()) {
      return;
    }
    waiting.removeIf(
        one -> {
          boolean late = one.deadlineNs - nowNs <= 0;
          if (late) {
            one.request.refuse(timeOut(one));
          }
          return late;
        });
  }

  private static DocaError timeOut(Waiting one) {
    return DocaError.of(
        "consumer of the peer",
        DocaCode.TIME_OUT.value(),
        "none came within " + one.request.within().toMillis() + " ms");
  }

  void close(DocaError reason) {
    ids.clear();
    waiting.forEach(one -> one.request.refuse(reason));
    waiting.clear();
  }
}
