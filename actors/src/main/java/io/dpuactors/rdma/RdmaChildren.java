package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextLife;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaProtocol.Export;
import io.dpuactors.protocol.RdmaProtocol.Exported;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.Stop;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The children of an RDMA context: its listener, its clients and its exported connections. The
 * children survive restarts of the context. Engine's thread.
 */
final class RdmaChildren implements ContextLife.Parts {
  private final ActorContext<Object> context;
  private final RdmaHost host;
  private final OpenContexts opened;
  private final RdmaEvents events;
  private final Set<ActorRef<RdmaConnectionProtocol.Command>> exported = new LinkedHashSet<>();

  RdmaChildren(ActorContext<Object> context, RdmaHost host) {
    this.context = context;
    this.host = host;
    this.events = new RdmaEvents(host, context::watch);
    this.opened = new OpenContexts(context, "context", host.core().settings().openDeadline());
  }

  /** Returns the handlers of the commands and of the children's events. */
  BehaviorBuilder<Object> commands() {
    return opened
        .events(Behaviors.receive(Object.class))
        .onMessage(Export.class, this::onExport)
        .onMessage(OpenRemoteEvent.class, this::onOpenEvent)
        .onMessage(CloseRemoteEvent.class, this::onCloseEvent)
        .onMessage(OpenRdmaListener.class, this::onOpenListener)
        .onMessage(OpenRdmaClient.class, this::onOpenClient);
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("rdma", code, why);
  }

  private DocaError stopping() {
    return error(DocaCode.SHUTDOWN, "the context is stopping");
  }

  private Behavior<Object> onOpenEvent(OpenRemoteEvent command) {
    if (opened.isStopping()) {
      command.refuse(stopping());
    } else {
      events.open(command);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onCloseEvent(CloseRemoteEvent command) {
    events.close(command);
    return Behaviors.same();
  }

  private Behavior<Object> onExport(Export command) {
    if (opened.isStopping()) {
      command.refuse(stopping());
      return Behaviors.same();
    }
    if (context.getChild(command.name()).isPresent()) {
      command.refuse(error(DocaCode.ALREADY_EXIST, command.name() + ": the name is in use"));
      return Behaviors.same();
    }
    if (!ActorPath.isValidPathElement(command.name())) {
      command.refuse(error(DocaCode.INVALID_VALUE, command.name() + " is no name of an actor"));
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
            LosslessMailbox.sameAsParent());
    context.watch(child);
    exported.add(child);
    command.replyTo().tell(new Exported(command.name(), child, begun.details()));
    return Behaviors.same();
  }

  private Behavior<Object> onOpenListener(OpenRdmaListener command) {
    return opened.open(command, () -> RdmaListener.create(host, command, self()));
  }

  private Behavior<Object> onOpenClient(OpenRdmaClient command) {
    return opened.open(command, () -> RdmaClient.supervised(host, command.options(), self()));
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }

  @Override
  public void running() {
    host.running();
  }

  @Override
  public void stop() {
    opened.stopAll();
    exported.forEach(child -> child.tell(new Stop()));
  }

  @Override
  public void close() {
    events.close();
  }

  @Override
  public void ended() {
    opened.failAll();
  }

  @Override
  public void forget(ActorRef<?> child) {
    opened.forget(child);
    exported.removeIf(child::equals);
    events.onOwnerEnded(child);
  }

  @Override
  public boolean isEmpty() {
    return opened.isEmpty() && exported.isEmpty();
  }
}
