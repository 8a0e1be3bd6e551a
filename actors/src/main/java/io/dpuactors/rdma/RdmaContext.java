package io.dpuactors.rdma;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.bridge.internal.RemoteEvents;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextLife;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.node.RdmaMemory;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorSignalInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_rdma} context as a supervised actor, child of its engine. The context's listener,
 * its clients and its exported connections are its children. A failure of one of them does not
 * affect the others.
 *
 * <p>The supervisor restarts a failed context. The connections of the failed context end. The
 * listener listens again, and clients connect again if their strategies say so.
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

  private final RdmaHost host;
  private final RdmaChildren children;
  private final ContextLife<RdmaLoad> life;

  private RdmaContext(
      ActorContext<Object> context,
      RdmaHost host,
      RdmaChildren children,
      ActorRef<ContextEvent> engine) {
    context.setLoggerName(RdmaContext.class);
    this.host = host;
    this.children = children;
    EngineCore core = host.core();
    RdmaSettings settings = host.settings();
    String name = context.getSelf().path().name();
    RdmaLoad load =
        new RdmaLoad(core, name, settings.link(), settings.tasks(), settings.receives());
    host.begun(load);
    this.life =
        new ContextLife<>(
            context, core, host.history(), engine, children, load, settings.times(), this::open);
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
            context -> {
              RdmaHost host = new RdmaHost(core, settings);
              RdmaChildren children = new RdmaChildren(context, host);
              return Behaviors.intercept(
                  () -> new AtEnd(children), supervised(host, children, engine));
            })
        .narrow();
  }

  /** Ends the children. Pekko's supervisor keeps the signal from an actor whose restart throws. */
  private static final class AtEnd extends BehaviorSignalInterceptor<Object> {
    private final RdmaChildren children;

    AtEnd(RdmaChildren children) {
      this.children = children;
    }

    @Override
    public Behavior<Object> aroundSignal(
        TypedActorContext<Object> context, Signal signal, SignalTarget<Object> target) {
      if (signal instanceof PostStop) {
        children.ended();
      }
      return target.apply(context, signal);
    }
  }

  private static Behavior<Object> supervised(
      RdmaHost host, RdmaChildren children, ActorRef<ContextEvent> engine) {
    return ContextLife.supervised(
        host.core(),
        host.history(),
        Strategies.keepingChildren(host.settings().restart().strategy()),
        context -> new RdmaContext(context, host, children, engine).behavior());
  }

  private Behavior<Object> behavior() {
    return life.with(children.commands());
  }

  private ContextOpener.Opened open(EngineCore owner, long userData) {
    RdmaSettings settings = host.settings();
    Device device = host.device();
    DocaContext fresh =
        Rdma.create(owner.progressEngine(), device, settings.properties(), userData);
    try {
      KINDS.forEach(kind -> fresh.configure(kind, settings.tasks()));
      if (RemoteEvents.areSupported(device)) {
        RemoteEvents.kinds().forEach(kind -> fresh.configure(kind, settings.tasks()));
      }
      fresh.configure(TaskKind.RDMA_RECEIVE, settings.receives());
      RdmaMemory memory =
          RdmaMemory.open(
              owner.pools(),
              device,
              settings.receives(),
              settings.receiveBytes(),
              settings.tasks());
      life.node().load().use(memory);
      return new ContextOpener.Opened(
          fresh, Map.of(), () -> memory.close(owner.pools()), device.pciAddress());
    } catch (DocaException | OutOfMemoryError e) {
      fresh.destroy();
      throw e;
    }
  }
}
