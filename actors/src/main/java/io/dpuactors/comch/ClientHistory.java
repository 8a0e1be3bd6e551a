package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.comch.ConnectionProtocol.Command;
import io.dpuactors.protocol.comch.ConnectionProtocol.Stop;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What a client's incarnations leave to the next one, and what goes around them: while a back-off
 * strategy waits, Pekko keeps messages for the next incarnation, Stop among them, and drops them
 * when there is none.
 */
final class ClientHistory {
  /** Besides messages, Pekko keeps signals; a client without children gets hardly any. */
  private static final int SIGNALS = 16;

  private final int bound;
  private final List<Command> kept = new ArrayList<>();
  private long connects;
  private boolean waits;

  /**
   * Nothing has happened yet.
   *
   * @param bound messages that may wait for the next incarnation
   */
  ClientHistory(int bound) {
    this.bound = bound;
  }

  /** An incarnation begins; what was kept is its. */
  void begun() {
    waits = false;
    kept.clear();
  }

  /** It is connected; returns how often that has happened. */
  long connected() {
    return ++connects;
  }

  /** It fails, and its strategy may wait before the next one. */
  void failed() {
    waits = true;
  }

  /** The behavior under its strategy, made to obey Stop, and to answer, while that waits. */
  Behavior<Object> supervised(Behavior<Object> fresh, SupervisorStrategy strategy) {
    SupervisorStrategy roomy =
        strategy instanceof BackoffSupervisorStrategy backoff
            ? backoff.withStashCapacity(bound + SIGNALS)
            : strategy;
    return Behaviors.intercept(
        Waiting::new, Behaviors.supervise(fresh).onFailure(Exception.class, roomy));
  }

  private void refuseKept() {
    DocaError ended =
        error(DocaCode.SHUTDOWN, "the client was stopped while it waited to connect again");
    kept.forEach(message -> refuse(message, ended));
    kept.clear();
  }

  private static void refuse(Object message, DocaError error) {
    if (message instanceof Request request) {
      request.refuse(error);
    }
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("client", code.value(), why);
  }

  private final class Waiting extends BehaviorInterceptor<Object, Object> {
    Waiting() {
      super(Object.class);
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      if (!waits || !(message instanceof Command command)) {
        return target.apply(context, message);
      }
      if (command == Stop.INSTANCE) {
        refuseKept();
        return Behaviors.stopped();
      }
      if (kept.size() >= bound) {
        refuse(command, error(DocaCode.FULL, bound + " messages wait for the connection already"));
        return Behaviors.same();
      }
      kept.add(command);
      return target.apply(context, message);
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
