package io.dpuactors.comch;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.context.ClientHistory;
import io.dpuactors.context.ConnectionLife;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.ClientLoad;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.LinkSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.node.NodeActors;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * A {@code doca_comch_client} and its one connection as a supervised actor, child of its engine.
 */
public final class ComchClient implements ConnectionLife.Parts {
  private enum Tick {
    FIRST_ANSWER
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final ComchSettings settings;
  private final ClientOptions options;
  private final ClientHistory history;
  private final ClientLoad load;
  private final ConnectionLife life;
  private final ConnectionHandlers handlers;

  private ComchClient(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      ComchSettings settings,
      ClientOptions options,
      ClientHistory history) {
    this.context = context;
    this.timers = timers;
    this.settings = settings;
    this.options = options;
    this.history = history;
    String name = context.getSelf().path().name();
    LinkSettings link = settings.link(options.connection());
    this.load = new ClientLoad(core, name, link);
    this.life =
        new ConnectionLife(
            context,
            timers,
            settings.behaviorDeadline(),
            history,
            this,
            owner -> core.openContext(name, load, settings.times("client"), this::open, owner, 0));
    this.handlers = new ConnectionHandlers(context, core, settings, load, life);
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
    settings.credit(options.connection());
    ClientHistory history =
        new ClientHistory(
            ConnectionProtocol.Command.class,
            lane.queue(),
            message -> allowedNs(message, lane.deadlineNs()),
            options.restarts(),
            engine,
            client -> {});
    Behavior<Object> fresh =
        NodeActors.create(
            core,
            () -> {},
            (context, timers) ->
                new ComchClient(context, timers, core, settings, options, history).behavior());
    return history.supervised(fresh, options.supervision()).narrow();
  }

  private static long allowedNs(Object message, long deadlineNs) {
    if (message instanceof ReceiveMessage receive) {
      return receive.within().map(Nanos::of).orElse(Nanos.FOREVER);
    }
    if (message instanceof AwaitConsumer await) {
      return Nanos.of(await.within());
    }
    return message instanceof Subscribe ? Nanos.FOREVER : deadlineNs;
  }

  private Behavior<Object> behavior() {
    return life.with(
        handlers.requests().onMessageEquals(Tick.FIRST_ANSWER, this::onFirstAnswerDeadline));
  }

  @Override
  public void running() {
    options.behavior().ifPresent(served -> handlers.serve(served, options.connection()));
    if (!settings.firstAnswerDeadline().isZero()) {
      timers.startSingleTimer(Tick.FIRST_ANSWER, settings.firstAnswerDeadline());
    }
    tell(
        new ClientEvent.Connected(
            context.getSelf().narrow(), history.connected(context.getSelf())));
  }

  @Override
  public void failed(DocaError error) {
    tell(new ClientEvent.Lost(error));
  }

  /**
   * Fails the connection if the server has sent nothing. A server of another service may wait for a
   * message that this client never sends.
   */
  private Behavior<Object> onFirstAnswerDeadline() {
    if (!life.isEnding() && !load.hasPeerSent()) {
      life.node()
          .broken(
              DocaError.of(
                  "receive",
                  DocaCode.TIME_OUT,
                  "the server \"%s\" sent nothing within %d ms"
                      .formatted(options.service(), settings.firstAnswerDeadline().toMillis())));
    }
    return Behaviors.same();
  }

  private void tell(ClientEvent event) {
    options.listener().ifPresent(listener -> listener.tell(event));
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
