package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.comch.ComchClient;
import io.dpuactors.comch.ComchServer;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.context.TaskContext;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.EngineProtocol.Open;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.rdma.RdmaContext;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;

/** Opens the contexts of an engine: one handler for each Open command. Engine's thread. */
final class EngineContexts {
  private final ActorContext<Object> context;
  private final EngineCore core;
  private final OpenContexts contexts;

  /**
   * Creates the handlers.
   *
   * @param context of the engine
   */
  EngineContexts(ActorContext<Object> context, EngineCore core, OpenContexts contexts) {
    this.context = context;
    this.core = core;
    this.contexts = contexts;
  }

  /** Adds the handlers of the commands and of the contexts' events. */
  BehaviorBuilder<Object> handlers(BehaviorBuilder<Object> builder) {
    return contexts
        .events(builder)
        .onMessage(OpenTasks.class, this::onOpenTasks)
        .onMessage(OpenSyncEvent.class, this::onOpenSyncEvent)
        .onMessage(OpenComchServer.class, this::onOpenComchServer)
        .onMessage(OpenComchClient.class, this::onOpenComchClient)
        .onMessage(OpenRdma.class, this::onOpenRdma);
  }

  private Behavior<Object> onOpenTasks(OpenTasks<?> command) {
    return openTasks(command);
  }

  private <C> Behavior<Object> openTasks(OpenTasks<C> command) {
    return open(
        command,
        () -> TaskContext.supervised(command.library(), config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenSyncEvent(OpenSyncEvent command) {
    return open(command, () -> TaskContext.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenComchServer(OpenComchServer command) {
    return open(command, () -> ComchServer.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenComchClient(OpenComchClient command) {
    return open(command, () -> ComchClient.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenRdma(OpenRdma command) {
    return open(command, () -> RdmaContext.supervised(config(), core, command.options(), self()));
  }

  private <C> Behavior<Object> open(Open<C> command, Supplier<Behavior<C>> behavior) {
    return contexts.open(command, () -> AnswerWatch.ifEnabled(context.getSystem(), behavior.get()));
  }

  private Config config() {
    return context.getSystem().settings().config();
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }
}
