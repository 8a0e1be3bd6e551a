package io.dpuactors.comch;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.context.ClientHistory;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextFailure;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.ClientLoad;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.LinkSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.Stop;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * A {@code doca_comch_client} and its one connection as a supervised actor, child of its engine.
 *
 * <pre>
 *   connecting --running--> open --Stop, behavior ended--> stopping its data --> retiring --gone--> stopped
 *        |                    |
 *        '----- failed -------'--> losing: data and behavior end --all Terminated--> failure, for the strategy
 * </pre>
 */
public final class ComchClient {
  private enum Tick {
    FIRST_ANSWER
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final ComchSettings settings;
  private final ClientOptions options;
  private final ClientHistory history;
  private final ActorRef<ContextEvent> engine;
  private final ContextNode<ClientLoad> node;
  private final ConnectionHandlers handlers;
  private final StopRequests stops = new StopRequests();
  private @Nullable DocaError failure;
  private boolean isGone;

  private ComchClient(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      ComchSettings settings,
      ClientOptions options,
      ClientHistory history,
      ActorRef<ContextEvent> engine) {
    this.context = context;
    this.timers = timers;
    this.settings = settings;
    this.options = options;
    this.history = history;
    this.engine = engine;
    history.begun();
    String name = context.getSelf().path().name();
    LinkSettings link = settings.link(options.connection());
    ClientLoad load = new ClientLoad(core, name, link);
    this.node =
        core.openContext(
            name,
            load,
            settings.times("client"),
            this::open,
            NodeEvent.owner(context.getSelf(), this),
            0);
    this.handlers = new ConnectionHandlers(context, timers, core, settings, load);
  }

  /**
   * Returns the behavior of a client under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the client is connected or fails to connect
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<ConnectionProtocol.Command> supervised(
      Config root, EngineCore core, ClientOptions options, ActorRef<ContextEvent> engine) {
    ComchSettings settings = ComchSettings.from(root);
    ComchSettings.checkName(options.service());
    Strategies.check(options.supervision());
    LaneSettings lane = settings.link(options.connection()).lane();
    ClientHistory history =
        new ClientHistory(
            ConnectionProtocol.Command.class,
            lane.queue(),
            message -> allowedNs(message, lane.deadlineNs()));
    Behavior<Object> fresh =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new ComchClient(context, timers, core, settings, options, history, engine)
                            .opened()));
    return history.supervised(fresh, options.supervision()).narrow();
  }

  private static long allowedNs(Object message, long deadlineNs) {
    if (message instanceof ReceiveMessage receive) {
      return receive.within().map(Nanos::of).orElse(Nanos.FOREVER);
    }
    return message instanceof AwaitConsumer await ? Nanos.of(await.within()) : deadlineNs;
  }

  private Behavior<Object> opened() {
    return handlers
        .open(Behaviors.receive(Object.class))
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessageEquals(Tick.FIRST_ANSWER, this::onFirstAnswerDeadline)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  /** Behavior while the client's children end. Afterwards the client retires or fails. */
  private Behavior<Object> ending() {
    return handlers
        .closing(Behaviors.receive(Object.class))
        .onMessage(NodeEvent.class, this::onNodeEventWhileEnding)
        .onMessage(Stop.class, this::onStopWhileEnding)
        .onSignal(Terminated.class, this::onTerminatedWhileEnding)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Running) {
      options.behavior().ifPresent(served -> handlers.serve(served, options.connection()));
      if (!settings.firstAnswerDeadline().isZero()) {
        timers.startSingleTimer(Tick.FIRST_ANSWER, settings.firstAnswerDeadline());
      }
      tell(new ClientEvent.Connected(context.getSelf().narrow(), history.connected()));
      engine.tell(new ContextEvent.Running(context.getSelf()));
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      failure = failed.error();
      tell(new ClientEvent.Lost(failed.error()));
    } else {
      isGone = true;
    }
    return end();
  }

  /**
   * Fails the connection if the server has sent nothing. A server of another service may wait for a
   * message that this client never sends.
   */
  private Behavior<Object> onFirstAnswerDeadline() {
    if (!node.load().hasPeerSent()) {
      node.broken(
          DocaError.of(
              "receive",
              DocaCode.TIME_OUT.value(),
              "the server \"%s\" sent nothing within %d ms"
                  .formatted(options.service(), settings.firstAnswerDeadline().toMillis())));
    }
    return Behaviors.same();
  }

  private void tell(ClientEvent event) {
    options.listener().ifPresent(listener -> listener.tell(event));
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    return stop();
  }

  private Behavior<Object> stop() {
    handlers.stopData();
    return end();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    return handlers.forget(signal.getRef()) ? stop() : Behaviors.same();
  }

  private Behavior<Object> end() {
    handlers.awaitBehavior();
    Behavior<Object> next = step();
    return next == Behaviors.<Object>same() ? ending() : next;
  }

  private Behavior<Object> onNodeEventWhileEnding(NodeEvent event) {
    if (event.incarnation() == this) {
      isGone |= event instanceof NodeEvent.Gone;
    }
    return step();
  }

  /** Handles Stop: the client then does not restart. */
  private Behavior<Object> onStopWhileEnding(Stop stop) {
    stops.add(stop);
    failure = null;
    return step();
  }

  private Behavior<Object> onTerminatedWhileEnding(Terminated signal) {
    handlers.forget(signal.getRef());
    return step();
  }

  private Behavior<Object> step() {
    if (handlers.hasData()) {
      return Behaviors.same();
    }
    node.stop();
    if (handlers.isServed() || !(isGone || failure != null)) {
      return Behaviors.same();
    }
    return failure == null ? Behaviors.stopped() : fail(failure);
  }

  /**
   * Ends the client with an error. If the strategy never restarts the client, the actor stops
   * instead of failing.
   */
  private Behavior<Object> fail(DocaError error) {
    if (options.restarts()) {
      history.failed(() -> StopRequests.outcome(node));
      throw new ContextFailure(error);
    }
    engine.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return isGone ? Behaviors.stopped() : Behaviors.same();
  }

  /** Reports the failure that ended the actor. Its strategy has no restart left. */
  private Behavior<Object> onPostStop() {
    if (failure != null) {
      engine.tell(new ContextEvent.StartFailed(context.getSelf(), failure));
    }
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    handlers.failOpening();
    node.close();
    stops.answer(node);
    return Behaviors.same();
  }

  private ContextOpener.Opened open(EngineCore owner, long userData) {
    owner.settings().checkMessageBytes(settings.limits().maxMessageBytes());
    Device device =
        owner
            .devices()
            .open(options.device(), one -> one.comchCapabilities().client(), "connect (comch)");
    DocaContext fresh =
        Comch.client(
            owner.progressEngine(), device, options.service(), settings.limits(), userData);
    int tasks = settings.link(options.connection()).lane().window();
    return ContextOpener.Opened.forTasks(fresh, TaskKind.COMCH_CLIENT_SEND, tasks, () -> {})
        .on(device.pciAddress());
  }
}
