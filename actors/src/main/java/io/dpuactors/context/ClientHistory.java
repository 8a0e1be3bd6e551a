package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.BufferRequest;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
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
public final class ClientHistory {
  /** Room for signals, which Pekko stashes too. A client without children receives few of them. */
  private static final int SIGNALS = 16;

  private final Class<?> commands;
  private final int bound;
  private final ToLongFunction<Object> allowedNs;
  private final boolean restarts;
  private final ActorRef<ContextEvent> parent;
  private final Consumer<ActorRef<Object>> atEnd;
  private final List<Kept> kept = new ArrayList<>();

  /** Markers behind the kept requests with buffers. Pekko's stash could drop them. */
  private final List<MailboxMarker> markers = new ArrayList<>();

  private long connects;
  private boolean waits;
  private Supplier<Stopped> before = () -> Stopped.CLEAN;

  /**
   * Creates the history of a client that has not started.
   *
   * @param commands the client's messages
   * @param bound messages that may wait for the next incarnation
   * @param allowedNs returns how long a message may wait
   * @param restarts whether the strategy restarts the client after a failure
   * @param parent receives an event when the client is connected or fails to connect
   * @param atEnd accepts a client that ends while it waits for its next incarnation
   */
  public ClientHistory(
      Class<?> commands,
      int bound,
      ToLongFunction<Object> allowedNs,
      boolean restarts,
      ActorRef<ContextEvent> parent,
      Consumer<ActorRef<Object>> atEnd) {
    this.commands = commands;
    this.bound = bound;
    this.allowedNs = allowedNs;
    this.restarts = restarts;
    this.parent = parent;
    this.atEnd = atEnd;
  }

  /** Starts an incarnation. Pekko delivers the stashed messages to it, before those sent here. */
  private void begun(ActorRef<Object> client) {
    waits = false;
    markers.forEach(client::tell);
    markers.clear();
  }

  /** Records a connection. Returns the number of connections so far. */
  public long connected(ActorRef<?> client) {
    parent.tell(new ContextEvent.Running(client));
    return ++connects;
  }

  /**
   * Fails the incarnation. The strategy may wait before the next one. If the strategy never
   * restarts the client, this method only reports the failure.
   */
  void fail(ActorRef<?> client, DocaError error) {
    if (restarts) {
      throw new ContextFailure(error);
    }
    ended(client, error);
  }

  /**
   * Records that the incarnation has failed and that another one follows.
   *
   * @param outcome returns the result of the failed incarnation, for a Stop during the wait
   */
  void awaitNext(Supplier<Stopped> outcome) {
    waits = true;
    before = outcome;
  }

  /** Reports a failure that no incarnation follows. */
  void ended(ActorRef<?> client, DocaError error) {
    parent.tell(new ContextEvent.StartFailed(client, error));
  }

  /**
   * Returns the behavior under its strategy. During the delay of a back-off strategy, the result
   * handles Stop and answers messages. Other strategies have no delay and need no interceptor.
   */
  public Behavior<Object> supervised(Behavior<Object> fresh, SupervisorStrategy strategy) {
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
    passMarkers();
  }

  /** Passes the markers, unless a kept request has buffers. */
  private void passMarkers() {
    if (kept.stream().noneMatch(one -> one.command instanceof BufferRequest)) {
      markers.forEach(MailboxMarker::pass);
      markers.clear();
    }
  }

  private void expire(Kept late) {
    if (kept.remove(late)) {
      late.isAnswered = true;
      refuse(
          late.command,
          error(
              DocaCode.TIME_OUT,
              "the client did not reconnect within "
                  + allowedNs.applyAsLong(late.command) / 1_000_000
                  + " ms"));
      passMarkers();
    }
  }

  private static void refuse(Object message, DocaError error) {
    if (message instanceof Request request) {
      request.refuse(error);
    }
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("client", code, why);
  }

  /** A message in Pekko's stash, until its delivery to the next incarnation. */
  private static final class Kept implements LocalMessage {
    private final Object command;
    private Cancellable timer = Cancellable.alreadyCancelled();
    private boolean isAnswered;

    Kept(Object command) {
      this.command = command;
    }
  }

  /** Fires when the deadline of a stashed message has passed. */
  private record Late(Kept kept) implements LocalMessage {}

  /** Delivers stashed messages that are still unanswered. */
  private final class Delivering extends BehaviorInterceptor<Object, Object> {
    Delivering() {
      super(Object.class);
    }

    /** {@inheritDoc} A start that throws leaves the messages to the next incarnation. */
    @Override
    public Behavior<Object> aroundStart(
        TypedActorContext<Object> context, PreStartTarget<Object> target) {
      waits = true;
      Behavior<Object> started = target.start(context);
      begun(context.asJava().getSelf());
      return started;
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      if (message instanceof Kept one) {
        one.timer.cancel();
        kept.remove(one);
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
      if (waits && message instanceof MailboxMarker marker) {
        markers.add(marker);
        passMarkers();
        return Behaviors.same();
      }
      if (!waits || !commands.isInstance(message)) {
        return target.apply(context, message);
      }
      if (message instanceof Stop stop) {
        refuseKept();
        stop.replyTo().ifPresent(requester -> requester.tell(before.get()));
        return Behaviors.stopped();
      }
      if (kept.size() >= bound) {
        refuse(message, error(DocaCode.FULL, bound + " messages already wait for the connection"));
        return Behaviors.same();
      }
      return target.apply(context, keep(message, context.asJava()));
    }

    private Kept keep(Object command, ActorContext<Object> context) {
      Kept one = new Kept(command);
      kept.add(one);
      long limitNs = allowedNs.applyAsLong(command);
      if (command instanceof Request && limitNs <= Nanos.LONGEST_TIMER) {
        one.timer =
            context.scheduleOnce(Duration.ofNanos(limitNs), context.getSelf(), new Late(one));
      }
      return one;
    }

    @Override
    public Behavior<Object> aroundSignal(
        TypedActorContext<Object> context, Signal signal, SignalTarget<Object> target) {
      if (signal instanceof PostStop) {
        refuseKept();
        atEnd.accept(context.asJava().getSelf());
      }
      return target.apply(context, signal);
    }
  }
}
