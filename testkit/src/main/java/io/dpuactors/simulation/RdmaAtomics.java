package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The atomic tasks of a client of an RDMA server. Only this client changes the first number, so
 * each answer is known. All clients add to the second number, and their additions must not overlap.
 * World's thread.
 */
final class RdmaAtomics {
  private static final int MAX_SUMMAND = 3;

  /** No number grows so much, so an exchange that expects this number has no effect. */
  private static final long UNREACHABLE = 1_000_000;

  private final Run run;
  private final int client;
  private final Additions common;
  private final RdmaNumber own = new RdmaNumber();

  /** The least common number at the request, by tag of the addition. */
  private final Map<Long, Long> ofCommon = new HashMap<>();

  private int overlaps;

  /**
   * Creates the tasks of a client.
   *
   * @param client number of the client
   * @param common the additions of all clients
   */
  RdmaAtomics(Run run, int client, Additions common) {
    this.run = run;
    this.client = client;
    this.common = common;
  }

  /** Returns how many answers had a wrong number. */
  int wrong() {
    return own.wrong() + overlaps;
  }

  /** The connection has ended. */
  void disconnected() {
    own.disconnected();
  }

  /**
   * Draws a task.
   *
   * @param number a lease of the server's memory; this method aims it
   * @param before receives the number before the change
   */
  PeerRequest draw(Buffer number, Buffer before, long tag, ActorRef<Reply> replyTo) {
    int kind = run.draw(0, 5);
    int summand = run.draw(1, MAX_SUMMAND);
    number.aim(RdmaStore.numberOf(kind < 2 ? RdmaStore.COMMON : client), Long.BYTES);
    if (kind < 2) {
      ofCommon.put(tag, common.least());
      common.requested(summand);
      return new FetchAndAdd(number, before, summand, tag, replyTo);
    }
    if (kind == 2) {
      return new CompareAndSwap(number, before, UNREACHABLE, UNREACHABLE, tag, replyTo);
    }
    long expected = own.predicted();
    own.requested(summand);
    return kind == 3
        ? new FetchAndAdd(number, before, summand, tag, replyTo)
        : new CompareAndSwap(number, before, expected, expected + summand, tag, replyTo);
  }

  /** Checks the answer to a task. */
  void answered(PeerRequest request, Reply reply) {
    Buffer dst = reply instanceof Completed ? reply.dst() : null;
    Long least = ofCommon.remove(request.tag());
    if (dst == null) {
      failed(request, least != null, RdmaModel.isRefused(reply));
      return;
    }
    run.reached(request.kind().name());
    long before = dst.bytes().getLong(0);
    run.note("client%d %s found %d".formatted(client, request.kind(), before));
    if (least != null) {
      overlaps += isAdded(least, before, summand(request)) ? 0 : 1;
    } else if (request instanceof CompareAndSwap swap) {
      own.swapped(before, swap.expected(), summand(request));
    } else {
      own.added(before, summand(request));
    }
  }

  private boolean isAdded(long least, long before, long summand) {
    return common.isPossible(least, before) && common.completed(before, summand);
  }

  /** A failed addition to the common number limits this number as one without an answer does. */
  private void failed(PeerRequest request, boolean isCommon, boolean isRefused) {
    long summand = summand(request);
    if (!isCommon && isRefused) {
      own.refused(summand);
    } else if (!isCommon) {
      own.failed(summand);
    } else if (isRefused) {
      common.refused(summand);
    }
  }

  /** Returns the change of the number if the task has its effect. */
  private static long summand(PeerRequest request) {
    return request instanceof CompareAndSwap swap
        ? swap.value() - swap.expected()
        : ((FetchAndAdd) request).summand();
  }

  /** Checks the numbers in the memory. */
  void check(RdmaStore.Content content) {
    long number = content.number(client);
    run.check(own.isPossible(number), "the number of client %d is %d, not %s", client, number, own);
    long all = content.number(RdmaStore.COMMON);
    run.check(
        common.isPossible(common.least(), all),
        "the number of all clients is %d, not from %d to %d",
        all,
        common.least(),
        common.most());
  }
}
