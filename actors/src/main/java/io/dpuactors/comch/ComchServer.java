package io.dpuactors.comch;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Representor;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextFailure;
import io.dpuactors.context.RestartHistory;
import io.dpuactors.context.RestartSettings;
import io.dpuactors.node.ConnectionNode;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.ServerLoad;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.ServerProtocol.Connections;
import io.dpuactors.protocol.ServerProtocol.GetConnections;
import io.dpuactors.protocol.Stop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_comch_server} as a supervised actor, child of its engine. Each connection is a
 * child of the server. A failure of one connection does not affect the others.
 *
 * <pre>
 *   running --Stop--> stopping connections --all Terminated--> retiring --gone--> stopped
 * </pre>
 *
 * <p>The supervisor restarts a failed server like any context, for example after the loss of the
 * device. Its connections end.
 */
public final class ComchServer {
  /** A client has connected. */
  private record Accepted(Object incarnation, ConnectionNode connection) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final EngineCore core;
  private final ComchSettings settings;
  private final ServerOptions options;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final ContextNode<ServerLoad> node;
  private final Map<ActorRef<?>, ActorRef<ConnectionProtocol.Command>> connections =
      new LinkedHashMap<>();
  private final StopRequests stops = new StopRequests();

  private ComchServer(
      ActorContext<Object> context,
      EngineCore core,
      ComchSettings settings,
      ServerOptions options,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    this.context = context;
    this.core = core;
    this.settings = settings;
    this.options = options;
    this.history = history;
    this.engine = engine;
    String name = context.getSelf().path().name();
    ActorRef<Object> self = context.getSelf();
    ServerLoad load =
        new ServerLoad(
            core,
            name,
            settings.link(options.connections()),
            options.maxConnections().orElseGet(settings::maxConnections),
            settings.sendTasks(),
            fresh -> self.tell(new Accepted(this, fresh)));
    this.node =
        core.openContext(
            name,
            load,
            settings.times("server"),
            this::open,
            NodeEvent.owner(self, this),
            history.delayNs());
  }

  /**
   * Returns the behavior of a server under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the server runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<ServerProtocol.Command> supervised(
      Config root, EngineCore core, ServerOptions options, ActorRef<ContextEvent> engine) {
    ComchSettings settings = ComchSettings.from(root);
    settings.link(options.connections());
    ComchSettings.checkName(options.service());
    RestartSettings restart = RestartSettings.from(settings.config().getConfig("server.restart"));
    RestartHistory history = new RestartHistory(restart);
    Behavior<Object> fresh =
        Behaviors.setup(
            context ->
                history.isStopping()
                    ? Behaviors.stopped()
                    : new ComchServer(context, core, settings, options, history, engine).running());
    return Behaviors.supervise(fresh).onFailure(Exception.class, restart.strategy()).narrow();
  }

  private Behavior<Object> running() {
    return Behaviors.receive(Object.class)
        .onMessage(Accepted.class, this::onAccepted)
        .onMessage(GetConnections.class, this::onGetConnections)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> stoppingConnections() {
    return Behaviors.receive(Object.class)
        .onMessage(Accepted.class, this::onAcceptedTooLate)
        .onMessage(GetConnections.class, this::onGetConnections)
        .onMessage(NodeEvent.class, this::onNodeEventWhileStopping)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> onAccepted(Accepted event) {
    if (event.incarnation() != this) {
      return onAcceptedTooLate(event);
    }
    ActorRef<ConnectionProtocol.Command> child =
        context.spawn(
            ComchConnection.create(
                core, event.connection(), settings, options.connections(), options.behavior()),
            event.connection().label(),
            DispatcherSelector.sameAsParent());
    context.watch(child);
    connections.put(child, child);
    return Behaviors.same();
  }

  private Behavior<Object> onAcceptedTooLate(Accepted event) {
    event.connection().close();
    return Behaviors.same();
  }

  private Behavior<Object> onGetConnections(GetConnections question) {
    question
        .replyTo()
        .tell(
            new Connections(
                List.copyOf(connections.values()), node.load().accepted(), node.load().refused()));
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    if (event instanceof NodeEvent.Running) {
      history.running(core.nowNs());
      engine.tell(new ContextEvent.Running(context.getSelf()));
      return Behaviors.same();
    }
    return onFailed(((NodeEvent.Failed) event));
  }

  /** Handles events of a stopping server: a failure causes no restart. */
  private Behavior<Object> onNodeEventWhileStopping(NodeEvent event) {
    return event.incarnation() == this && event instanceof NodeEvent.Gone
        ? Behaviors.stopped()
        : Behaviors.same();
  }

  private Behavior<Object> onFailed(NodeEvent.Failed event) {
    history.failed(core.nowNs());
    if (history.hasRun()) {
      throw new ContextFailure(event.error());
    }
    engine.tell(new ContextEvent.StartFailed(context.getSelf(), event.error()));
    return Behaviors.stopped();
  }

  private Behavior<Object> onFurtherStop(Stop stop) {
    stops.add(stop);
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    history.stopping();
    node.load().stopAccepting();
    connections.values().forEach(child -> child.tell(new Stop()));
    return stopIfEmpty(stoppingConnections());
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    connections.remove(signal.getRef());
    return Behaviors.same();
  }

  private Behavior<Object> onTerminatedWhileStopping(Terminated signal) {
    connections.remove(signal.getRef());
    return stopIfEmpty(Behaviors.same());
  }

  /** Retires the server when every connection has sent {@code Terminated}. */
  private Behavior<Object> stopIfEmpty(Behavior<Object> otherwise) {
    if (connections.isEmpty()) {
      node.stop();
    }
    return otherwise;
  }

  private Behavior<Object> onEnd() {
    node.close();
    stops.answer(node);
    return Behaviors.same();
  }

  private ContextOpener.Opened open(EngineCore owner, long userData) {
    owner.settings().checkMessageBytes(settings.limits().maxMessageBytes());
    Device device =
        owner
            .devices()
            .open(options.device(), one -> one.comchCapabilities().server(), "serve (comch)");
    Representor representor = Representor.open(device, options.representor().orElse(""));
    try {
      DocaContext fresh =
          Comch.server(
              owner.progressEngine(),
              device,
              representor,
              options.service(),
              settings.limits(),
              userData);
      return ContextOpener.Opened.forTasks(
              fresh, TaskKind.COMCH_SERVER_SEND, settings.sendTasks(), representor::close)
          .on(device.pciAddress());
    } catch (DocaException e) {
      representor.close();
      throw e;
    }
  }
}
