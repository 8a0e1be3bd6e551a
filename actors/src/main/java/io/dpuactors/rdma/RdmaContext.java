package io.dpuactors.rdma;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextFailure;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.Stop;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_rdma} context as a supervised actor, child of its engine. Its listener, its clients
 * and its exported connections are its children. A failure of one of them does not affect the
 * others.
 *
 * <pre>
 *   running --Stop--> stopping children --all Terminated--> retiring --gone--> stopped
 * </pre>
 *
 * <p>The supervisor restarts a failed context. Its connections end. The listener listens again, and
 * clients connect again if their strategies say so.
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
  private final RdmaHost host;
  private final RdmaChildren children;
  private final ActorRef<ContextEvent> engine;
  private final ContextNode<RdmaLoad> node;
  private final StopRequests stops = new StopRequests();

  private RdmaContext(
      ActorContext<Object> context,
      RdmaHost host,
      RdmaChildren children,
      ActorRef<ContextEvent> engine) {
    context.setLoggerName(RdmaContext.class);
    this.context = context;
    this.host = host;
    this.children = children;
    this.engine = engine;
    EngineCore core = host.core();
    RdmaSettings settings = host.settings();
    String name = context.getSelf().path().name();
    RdmaLoad load =
        new RdmaLoad(core, name, settings.link(), settings.tasks(), settings.receives());
    host.begun(load);
    this.node =
        core.openContext(
            name,
            load,
            settings.times(),
            this::open,
            NodeEvent.owner(context.getSelf(), this),
            host.history().delayNs());
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
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      RdmaHost host = new RdmaHost(core, settings);
                      RdmaChildren children = new RdmaChildren(context, timers, host);
                      return supervised(host, children, engine);
                    }))
        .narrow();
  }

  private static Behavior<Object> supervised(
      RdmaHost host, RdmaChildren children, ActorRef<ContextEvent> engine) {
    Behavior<Object> fresh =
        Behaviors.setup(
            context ->
                host.history().isStopping()
                    ? Behaviors.stopped()
                    : new RdmaContext(context, host, children, engine).running());
    return Behaviors.supervise(fresh)
        .onFailure(Exception.class, Strategies.keepingChildren(host.settings().supervision()));
  }

  private Behavior<Object> running() {
    return children
        .open()
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> stoppingChildren() {
    return children
        .closing()
        .onMessage(NodeEvent.class, this::onNodeEventWhileStopping)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
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
    host.history().running(host.core().nowNs());
    host.running();
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
    host.history().failed(host.core().nowNs());
    if (host.history().hasRun()) {
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
    host.history().stopping();
    children.stopAll();
    return stopIfEmpty(stoppingChildren());
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    children.forget(signal.getRef());
    return Behaviors.same();
  }

  private Behavior<Object> onTerminatedWhileStopping(Terminated signal) {
    children.forget(signal.getRef());
    return stopIfEmpty(Behaviors.same());
  }

  /** Retires the context when every child has sent {@code Terminated}. */
  private Behavior<Object> stopIfEmpty(Behavior<Object> otherwise) {
    if (children.isEmpty()) {
      node.stop();
    }
    return otherwise;
  }

  private Behavior<Object> onPostStop() {
    children.refuseAll();
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    node.close();
    stops.answer(node);
    return Behaviors.same();
  }

  private ContextOpener.Opened open(EngineCore owner, long userData) {
    RdmaSettings settings = host.settings();
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
