package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.context.ClientHistory;
import io.dpuactors.context.ConnectionLife;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.node.NodeActors;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.protocol.RdmaClientEvent;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** A connection to a listening context as a supervised actor, child of its context. */
final class RdmaClient implements ConnectionLife.Parts {
  private final ActorContext<Object> context;
  private final RdmaClientOptions options;
  private final ClientHistory history;
  private final RdmaConnectionNode node;
  private final ConnectionLife life;
  private final PeerHandlers handlers;

  private RdmaClient(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      RdmaHost host,
      RdmaClientOptions options,
      ClientHistory history) {
    context.setLoggerName(RdmaClient.class);
    this.context = context;
    this.options = options;
    this.history = history;
    this.node = host.load().connect(options.host(), options.port());
    this.life =
        new ConnectionLife(
            context, timers, host.settings().behaviorDeadline(), history, this, node::own);
    this.handlers = new PeerHandlers(context, host, node, life);
  }

  /**
   * Returns the behavior of a client under its supervisor strategy.
   *
   * @param parent receives an event when the client is connected or fails to connect
   * @throws IllegalArgumentException if the strategy is {@code resume} or the port is none
   */
  static Behavior<Command> supervised(
      RdmaHost host, RdmaClientOptions options, ActorRef<ContextEvent> parent) {
    Strategies.check(options.supervision());
    RdmaSettings.checkPort(options.port());
    LaneSettings lane = host.settings().link().lane();
    ClientHistory history =
        new ClientHistory(
            Command.class,
            lane.queue(),
            message -> allowedNs(message, lane.deadlineNs()),
            options.restarts(),
            parent,
            host.core().pools().takers()::leave);
    Behavior<Object> fresh =
        NodeActors.create(
            host.core(),
            () -> {},
            (context, timers) ->
                new RdmaClient(context, timers, host, options, history).behavior());
    return history.supervised(fresh, options.supervision()).narrow();
  }

  private static long allowedNs(Object message, long deadlineNs) {
    if (message instanceof ReceiveMessage receive) {
      return receive.within().map(Nanos::of).orElse(Nanos.FOREVER);
    }
    return message instanceof Subscribe ? Nanos.FOREVER : deadlineNs;
  }

  private Behavior<Object> behavior() {
    return life.with(handlers.requests().onMessage(Connect.class, this::onConnect));
  }

  private Behavior<Object> onConnect(Connect request) {
    request.refuse(
        DocaError.of(
            "connect", DocaCode.BAD_STATE, "%s connects to an address".formatted(node.label())));
    return Behaviors.same();
  }

  @Override
  public void running() {
    options.behavior().ifPresent(handlers::serve);
    tell(
        new RdmaClientEvent.Connected(
            context.getSelf().narrow(), history.connected(context.getSelf())));
  }

  @Override
  public void failed(DocaError error) {
    tell(new RdmaClientEvent.Lost(error));
  }

  private void tell(RdmaClientEvent event) {
    options.listener().ifPresent(listener -> listener.tell(event));
  }

  @Override
  public void ended() {
    handlers.ended();
  }
}
