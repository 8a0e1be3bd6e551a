package io.dpuactors.comch;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Representor;
import io.dpuactors.context.AcceptedConnections;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextLife;
import io.dpuactors.context.RestartHistory;
import io.dpuactors.context.RestartSettings;
import io.dpuactors.node.ConnectionNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.ServerLoad;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.ServerProtocol.Connections;
import io.dpuactors.protocol.ServerProtocol.GetConnections;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_comch_server} as a supervised actor, child of its engine. Each connection is a
 * child of the server. A failure of one connection does not affect the others.
 *
 * <p>The supervisor restarts a failed server like any context, for example after the loss of the
 * device. The connections of the failed server end.
 */
public final class ComchServer {
  /** A client has connected. */
  private record Accepted(Object incarnation, ConnectionNode connection) implements LocalMessage {}

  private final EngineCore core;
  private final ComchSettings settings;
  private final ServerOptions options;
  private final ContextLife<ServerLoad> life;
  private final AcceptedConnections<ConnectionProtocol.Command> connections;

  private ComchServer(
      ActorContext<Object> context,
      EngineCore core,
      ComchSettings settings,
      ServerOptions options,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    this.core = core;
    this.settings = settings;
    this.options = options;
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
    this.connections = new AcceptedConnections<>(context, load::stopAccepting);
    this.life =
        new ContextLife<>(
            context,
            core,
            history,
            engine,
            connections,
            load,
            settings.times("server"),
            this::open);
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
    settings.credit(options.connections());
    ComchSettings.checkName(options.service());
    RestartSettings restart = RestartSettings.from(settings.config().getConfig("server.restart"));
    RestartHistory history = new RestartHistory(restart);
    return ContextLife.supervised(
            core,
            history,
            restart.strategy(),
            context ->
                new ComchServer(context, core, settings, options, history, engine).behavior())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return life.with(
        Behaviors.receive(Object.class)
            .onMessage(Accepted.class, this::onAccepted)
            .onMessage(GetConnections.class, this::onGetConnections));
  }

  private Behavior<Object> onAccepted(Accepted event) {
    ConnectionNode node = event.connection();
    if (event.incarnation() != this || life.isStopping()) {
      node.close();
    } else {
      connections.add(
          ComchConnection.create(core, node, settings, options.connections(), options.behavior()),
          node.label());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onGetConnections(GetConnections question) {
    ServerLoad load = life.node().load();
    question.replyTo().tell(new Connections(connections.list(), load.accepted(), load.refused()));
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
