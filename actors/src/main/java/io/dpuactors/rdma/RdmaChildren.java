package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.OpenRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaProtocol.Export;
import io.dpuactors.protocol.RdmaProtocol.Exported;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The children of an RDMA context: its listener, its clients and its exported connections. They
 * survive restarts of the context. Engine's thread.
 */
final class RdmaChildren {
  /** Fires when the command for a child has exceeded its deadline. */
  private record OpenDeadline(ActorRef<?> child) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final RdmaHost host;
  private final Duration openDeadline;
  private final OpenContexts opened = new OpenContexts();
  private final Set<ActorRef<RdmaConnectionProtocol.Command>> exported = new LinkedHashSet<>();

  RdmaChildren(ActorContext<Object> context, TimerScheduler<Object> timers, RdmaHost host) {
    this.context = context;
    this.timers = timers;
    this.host = host;
    this.openDeadline = host.core().settings().openDeadline();
  }

  /** Adds the handlers of a context that is not stopping. */
  BehaviorBuilder<Object> open() {
    return events()
        .onMessage(Export.class, this::onExport)
        .onMessage(OpenRdmaListener.class, this::onOpenListener)
        .onMessage(OpenRdmaClient.class, this::onOpenClient);
  }

  /** Adds the handlers of a context that is stopping. */
  BehaviorBuilder<Object> closing() {
    return events()
        .onMessage(Export.class, this::refuse)
        .onMessage(OpenRdmaListener.class, this::refuse)
        .onMessage(OpenRdmaClient.class, this::refuse);
  }

  private BehaviorBuilder<Object> events() {
    return Behaviors.receive(Object.class)
        .onMessage(ContextEvent.Running.class, this::onRunning)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed)
        .onMessage(OpenDeadline.class, this::onOpenDeadline);
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("rdma", code.value(), why);
  }

  private Behavior<Object> refuse(Request command) {
    command.refuse(error(DocaCode.SHUTDOWN, "the context is stopping"));
    return Behaviors.same();
  }

  private Behavior<Object> onExport(Export command) {
    if (context.getChild(command.name()).isPresent()) {
      command.refuse(error(DocaCode.ALREADY_EXIST, command.name() + ": the name is in use"));
      return Behaviors.same();
    }
    RdmaLoad.Exported begun;
    try {
      begun = host.load().export();
    } catch (DocaException e) {
      command.refuse(e.error());
      return Behaviors.same();
    }
    ActorRef<RdmaConnectionProtocol.Command> child =
        context.spawn(
            RdmaConnection.create(host, begun.connection(), command.behavior()),
            command.name(),
            DispatcherSelector.sameAsParent());
    context.watch(child);
    exported.add(child);
    command.replyTo().tell(new Exported(command.name(), child, begun.details()));
    return Behaviors.same();
  }

  private Behavior<Object> onOpenListener(OpenRdmaListener command) {
    return open(command, () -> RdmaListener.create(host, command, self()));
  }

  private Behavior<Object> onOpenClient(OpenRdmaClient command) {
    return open(command, () -> RdmaClient.supervised(host, command.options(), self()));
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }

  private <C> Behavior<Object> open(OpenRequest<C> command, Supplier<Behavior<C>> behavior) {
    ActorRef<C> child = opened.open(context, command, behavior);
    if (child != null) {
      timers.startSingleTimer(child, new OpenDeadline(child), openDeadline);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onRunning(ContextEvent.Running event) {
    timers.cancel(event.context());
    opened.running(event.context());
    return Behaviors.same();
  }

  private Behavior<Object> onStartFailed(ContextEvent.StartFailed event) {
    failed(event.context(), event.error());
    return Behaviors.same();
  }

  private void failed(ActorRef<?> child, DocaError error) {
    timers.cancel(child);
    opened.failed(child, error);
  }

  private Behavior<Object> onOpenDeadline(OpenDeadline event) {
    opened.late(
        event.child(),
        error(
            DocaCode.TIME_OUT,
            "%s did not run within %d ms"
                .formatted(event.child().path().name(), openDeadline.toMillis())));
    return Behaviors.same();
  }

  /** Asks all children to stop. */
  void stopAll() {
    opened.stopAll();
    exported.forEach(child -> child.tell(new Stop()));
  }

  /** Refuses all unanswered commands, because the context's actor ends. */
  void refuseAll() {
    opened.failAll(error(DocaCode.SHUTDOWN, "the context has ended"));
  }

  /** Removes a child that has sent {@code Terminated}. */
  void forget(ActorRef<?> child) {
    failed(child, error(DocaCode.SHUTDOWN, child.path().name() + " ended before it ran"));
    opened.remove(child);
    exported.removeIf(child::equals);
  }

  /** Returns whether every child has sent {@code Terminated}. */
  boolean isEmpty() {
    return opened.isEmpty() && exported.isEmpty();
  }
}
