package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveFailed;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveReply;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * How a client reads the messages of its RDMA connection: as a subscriber, or by one request after
 * the other. Each request has one answer: a message, or TIME_OUT at its limit, or the end of the
 * connection. World's thread.
 */
final class RdmaReading {
  /** Percentage of clients that read by requests. */
  private static final int BY_REQUESTS = 25;

  private final Run run;
  private final boolean isCalm;
  private final ConsumerPace pace;
  private final boolean isByRequests;
  private final Duration limit;
  private final String name;
  private @Nullable ActorRef<RdmaConnectionProtocol.Command> current;
  private @Nullable ActorRef<RdmaConnectionProtocol.Command> askedOne;
  private long askedNs;
  private int asked;
  private int answered;
  private boolean hasWaited;

  /**
   * Draws the kind of a client.
   *
   * @param isCalm whether nothing disturbs the run
   * @param name of the client
   */
  RdmaReading(Run run, boolean isCalm, String name) {
    this.run = run;
    this.isCalm = isCalm;
    this.pace = ConsumerPace.draw(run);
    this.isByRequests = run.chance(BY_REQUESTS);
    this.limit = Duration.ofMillis(run.oneOf(1, 1_000));
    this.name = name;
  }

  /**
   * Begins to read a new connection.
   *
   * @param credit of a subscriber that is not slow
   */
  void begin(
      ActorContext<Object> client,
      ActorRef<RdmaConnectionProtocol.Command> connection,
      int credit) {
    current = connection;
    if (isByRequests) {
      next(client);
    } else {
      connection.tell(new Subscribe(client.getSelf().narrow(), pace.credit(credit)));
    }
  }

  /** The connection has ended. */
  void end() {
    current = null;
  }

  /** Asks for the next message, after a message has arrived or a request has its answer. */
  void next(ActorContext<Object> client) {
    if (current == null || (isByRequests && asked > answered)) {
      return;
    }
    if (isByRequests) {
      ask(client, current);
    } else {
      pace.tell(client, current, new Grant(1));
    }
  }

  /** Only the first requests have a limit: a client without messages must come to rest. */
  private void ask(
      ActorContext<Object> client, ActorRef<RdmaConnectionProtocol.Command> connection) {
    Optional<Duration> within = hasWaited ? Optional.empty() : Optional.of(limit);
    asked++;
    askedNs = run.nowNs();
    askedOne = connection;
    connection.tell(new ReceiveMessage(within, client.getSelf().narrow()));
  }

  /**
   * Checks the answer to a request.
   *
   * @param isDone whether the client needs no message
   */
  void answered(ReceiveReply reply, boolean isDone) {
    run.check(answered < asked, "a receiver has two answers; the second is %s", reply);
    DocaError error = reply instanceof ReceiveFailed failed ? failed.error() : null;
    boolean isLate =
        error != null && error.code() == DocaCode.TIME_OUT && error.operation().equals("receive");
    run.check(!isCalm || isDone || isLate || error == null, "no message: %s", reply);
    run.check(!isLate || !hasWaited, "a receiver without a limit is late: %s", reply);
    run.reached(error == null ? "received by request" : "receive " + error.code());
    if (isCalm && !hasWaited) {
      checkTime(isLate, run.nowNs() - askedNs);
    }
    answered++;
    hasWaited |= isLate;
    if (error != null && !isLate && Objects.equals(askedOne, current)) {
      end();
    }
  }

  /** Engines that are disturbed answer later, or count a limit from an earlier time. */
  private void checkTime(boolean isLate, long afterNs) {
    long limitNs = limit.toNanos();
    run.check(
        !isLate || afterNs >= limitNs - run.slackNs(),
        "a receiver of %s timed out after %d ns, before its limit of %d ns",
        name,
        afterNs,
        limitNs);
    run.check(
        afterNs <= limitNs + 2 * run.slackNs(),
        "a receiver of %s was answered after %d ns, and its limit was %d ns",
        name,
        afterNs,
        limitNs);
  }

  /** Fails the run if an answer is missing. */
  void check() {
    run.check(asked == answered, "%d receivers of %s have no answer", asked - answered, name);
  }
}
