package io.dpuactors.rdma;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextFailure;
import io.dpuactors.context.RestartHistory;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.Export;
import io.dpuactors.protocol.RdmaProtocol.Exported;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_rdma} context as a supervised actor, child of its engine. Each connection is a
 * child of the context. A failure of one connection does not affect the others.
 *
 * <pre>
 *   running --Stop--> stopping connections --all Terminated--> retiring --gone--> stopped
 * </pre>
 *
 * <p>The supervisor restarts a failed context. Its connections end.
 */
public final class RdmaContext {
  private static final Set<TaskKind> KINDS =
      Set.of(
          TaskKind.RDMA_SEND,
          TaskKind.RDMA_SEND_IMMEDIATE,
          TaskKind.RDMA_READ,
          TaskKind.RDMA_WRITE,
          TaskKind.RDMA_WRITE_IMMEDIATE,
          TaskKind.RDMA_COMPARE_AND_SWAP,
          TaskKind.RDMA_FETCH_AND_ADD);

  private final ActorContext<Object> context;
  private final EngineCore core;
  private final RdmaSettings settings;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final ContextNode<RdmaLoad> node;
  private final Map<ActorRef<?>, ActorRef<RdmaConnectionProtocol.Command>> connections =
      new LinkedHashMap<>();
  private final StopRequests stops = new StopRequests();

  private RdmaContext(
      ActorContext<Object> context,
      EngineCore core,
      RdmaSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    context.setLoggerName(RdmaContext.class);
    this.context = context;
    this.core = core;
    this.settings = settings;
    this.history = history;
    this.engine = engine;
    String name = context.getSelf().path().name();
    this.node =
        core.openContext(
            name,
            new RdmaLoad(core, name, settings.link(), settings.tasks(), settings.receives()),
            settings.times(),
            this::open,
            NodeEvent.owner(context.getSelf(), this),
            history.delayNs());
  }

  /**
   * Returns the behavior of a context under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the context runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<RdmaProtocol.Command> supervised(
      Config root, EngineCore core, RdmaOptions options, ActorRef<ContextEvent> engine) {
    RdmaSettings settings = RdmaSettings.from(root, options);
    RestartHistory history = new RestartHistory(settings.restart());
    Behavior<Object> fresh =
        Behaviors.setup(
            context ->
                history.isStopping()
                    ? Behaviors.stopped()
                    : new RdmaContext(context, core, settings, history, engine).running());
    return Behaviors.supervise(fresh).onFailure(Exception.class, settings.supervision()).narrow();
  }

  private Behavior<Object> running() {
    return Behaviors.receive(Object.class)
        .onMessage(Export.class, this::onExport)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> stoppingConnections() {
    return Behaviors.receive(Object.class)
        .onMessage(Export.class, this::refuse)
        .onMessage(NodeEvent.class, this::onNodeEventWhileStopping)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> refuse(Request command) {
    command.refuse(error(DocaCode.SHUTDOWN, "the context is stopping"));
    return Behaviors.same();
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("rdma", code.value(), why);
  }

  private Behavior<Object> onExport(Export command) {
    if (context.getChild(command.name()).isPresent()) {
      command.refuse(
          error(DocaCode.ALREADY_EXIST, command.name() + ": a connection has this name"));
      return Behaviors.same();
    }
    try {
      RdmaLoad.Exported exported = node.load().export();
      ActorRef<RdmaConnectionProtocol.Command> child =
          spawn(
              command.name(),
              RdmaConnection.create(core, settings, exported.connection(), command.behavior()));
      command.replyTo().tell(new Exported(command.name(), child, exported.details()));
    } catch (DocaException e) {
      command.refuse(e.error());
    }
    return Behaviors.same();
  }

  private ActorRef<RdmaConnectionProtocol.Command> spawn(
      String name, Behavior<RdmaConnectionProtocol.Command> connection) {
    ActorRef<RdmaConnectionProtocol.Command> child =
        context.spawn(connection, name, DispatcherSelector.sameAsParent());
    context.watch(child);
    connections.put(child, child);
    return child;
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    if (event instanceof NodeEvent.Failed failed) {
      return onFailed(failed);
    }
    history.running(core.nowNs());
    engine.tell(new ContextEvent.Running(context.getSelf()));
    return Behaviors.same();
  }

  /** Handles events of a stopping context: a failure causes no restart. */
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
    List<ActorRef<RdmaConnectionProtocol.Command>> open = new ArrayList<>(connections.values());
    open.forEach(child -> child.tell(new Stop()));
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

  /** Retires the context when every connection has sent {@code Terminated}. */
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
    Device device =
        owner.devices().open(settings.device(), Device::isRdmaSupported, "connect peers (RDMA)");
    DocaContext fresh =
        Rdma.create(owner.progressEngine(), device, settings.properties(), userData);
    try {
      KINDS.forEach(kind -> fresh.configure(kind, settings.tasks()));
      fresh.configure(TaskKind.RDMA_RECEIVE, settings.receives());
      BufferPool memory =
          owner
              .pools()
              .open(
                  device,
                  settings.receives(),
                  settings.receiveBytes(),
                  Set.of(Permission.LOCAL_READ_WRITE));
      node.load().receiveInto(memory);
      return new ContextOpener.Opened(
          fresh, Map.of(), () -> owner.pools().close(memory), device.pciAddress());
    } catch (DocaException e) {
      fresh.destroy();
      throw e;
    }
  }
}
