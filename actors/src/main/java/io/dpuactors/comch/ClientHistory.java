package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.Command;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * State that survives a client's restarts, and the interceptors around the client. While a back-off
 * strategy waits, Pekko stashes messages, including Stop, and drops them if no incarnation follows.
 * The interceptors answer each stashed message by its deadline at the latest.
 *
 * <pre>
 *   Waiting ( supervisor ( Delivering ( client ) ) )
 * </pre>
 */
final class ClientHistory {
  /** Room for signals, which Pekko stashes too. A client without children receives few of them. */
  private static final int SIGNALS = 16;

  /** Deadlines above this bound get no timer. Pekko's timers cannot exceed it much either. */
  private static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(100);

  private final int bound;
  private final long deadlineNs;
  private final List<Kept> kept = new ArrayList<>();
  private long connects;
  private boolean waits;
  private Supplier<Stopped> before = () -> Stopped.CLEAN;

  /**
   * Creates the history of a client that has not started.
   *
   * @param bound messages that may wait for the next incarnation
   * @param deadlineNs deadline of waiting messages that carry none
   */
  ClientHistory(int bound, long deadlineNs) {
    this.bound = bound;
    this.deadlineNs = deadlineNs;
  }

  /** Starts an incarnation. Pekko delivers the stashed messages to it. */
  void begun() {
    waits = false;
    kept.forEach(one -> one.timer.cancel());
    kept.clear();
  }

  /** Records a connection. Returns the number of connections so far. */
  long connected() {
    return ++connects;
  }

  /**
   * Records a failure. The strategy may wait before the next incarnation.
   *
   * @param outcome returns the result of the failed incarnation, for a Stop during the wait
   */
  void failed(Supplier<Stopped> outcome) {
    waits = true;
    before = outcome;
  }

  /**
   * Returns the behavior under its strategy. During the delay of a back-off strategy, the result
   * handles Stop and answers messages. Other strategies have no delay and need no interceptor.
   */
  Behavior<Object> supervised(Behavior<Object> fresh, SupervisorStrategy strategy) {
    if (!(strategy instanceof BackoffSupervisorStrategy backoff)) {
      return Behaviors.supervise(fresh).onFailure(Exception.class, strategy);
    }
    return Behaviors.intercept(
        Waiting::new,
        Behaviors.supervise(Behaviors.intercept(Delivering::new, fresh))
            .onFailure(Exception.class, backoff.withStashCapacity(bound + SIGNALS)));
  }

  private void refuseKept() {
    DocaError ended = error(DocaCode.SHUTDOWN, "the client was stopped before it reconnected");
    kept.forEach(
        one -> {
          one.timer.cancel();
          refuse(one.command, ended);
        });
    kept.clear();
  }

  private void expire(Kept late) {
    if (kept.remove(late)) {
      late.isAnswered = true;
      refuse(
          late.command,
          error(
              DocaCode.TIME_OUT,
              "the client did not reconnect within "
                  + allowedNs(late.command) / 1_000_000
                  + " ms"));
    }
  }

  private long allowedNs(Command command) {
    if (command instanceof ReceiveMessage receive) {
      return receive.within().map(Nanos::of).orElse(Nanos.FOREVER);
    }
    return command instanceof AwaitConsumer await ? Nanos.of(await.within()) : deadlineNs;
  }

  private static void refuse(Command message, DocaError error) {
    if (message instanceof Request request) {
      request.refuse(error);
    }
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("client", code.value(), why);
  }

  /** A message in Pekko's stash, for the next incarnation. */
  private static final class Kept implements LocalMessage {
    private final Command command;
    private Cancellable timer = Cancellable.alreadyCancelled();
    private boolean isAnswered;

    Kept(Command command) {
      this.command = command;
    }
  }

  /** Fires when the deadline of a stashed message has passed. */
  private record Late(Kept kept) implements LocalMessage {}

  /** Delivers stashed messages that are still unanswered. */
  private static final class Delivering extends BehaviorInterceptor<Object, Object> {
    Delivering() {
      super(Object.class);
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      if (message instanceof Kept one) {
        return one.isAnswered ? Behaviors.same() : target.apply(context, one.command);
      }
      return target.apply(context, message);
    }
  }

  private final class Waiting extends BehaviorInterceptor<Object, Object> {
    Waiting() {
      super(Object.class);
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      if (message instanceof Late late) {
        expire(late.kept);
        return Behaviors.same();
      }
      if (!waits || !(message instanceof Command command)) {
        return target.apply(context, message);
      }
      if (command instanceof Stop stop) {
        refuseKept();
        stop.replyTo().ifPresent(requester -> requester.tell(before.get()));
        return Behaviors.stopped();
      }
      if (kept.size() >= bound) {
        refuse(command, error(DocaCode.FULL, bound + " messages already wait for the connection"));
        return Behaviors.same();
      }
      return target.apply(context, keep(command, context.asJava()));
    }

    private Kept keep(Command command, ActorContext<Object> context) {
      Kept one = new Kept(command);
      kept.add(one);
      long allowedNs = allowedNs(command);
      if (command instanceof Request && allowedNs < FOR_EVER_NS) {
        one.timer =
            context.scheduleOnce(Duration.ofNanos(allowedNs), context.getSelf(), new Late(one));
      }
      return one;
    }

    @Override
    public Behavior<Object> aroundSignal(
        TypedActorContext<Object> context, Signal signal, SignalTarget<Object> target) {
      if (signal instanceof PostStop) {
        refuseKept();
      }
      return target.apply(context, signal);
    }
  }
}
