package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.context.AcceptedConnections;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.Steps;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol.Command;
import io.dpuactors.protocol.RdmaListenerProtocol.Connections;
import io.dpuactors.protocol.RdmaListenerProtocol.GetConnections;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The port of an RDMA context as an actor, child of the context. Each connection that it accepts is
 * a child of the listener.
 *
 * <pre>
 *   listening --Stop--> stopping connections --all Terminated--> stopped
 *       ^  |
 *       |  '--the context fails: the connections end
 *       '-----the context runs again
 * </pre>
 */
final class RdmaListener {
  /** A peer has connected. */
  private record Accepted(RdmaConnectionNode connection) implements LocalMessage {}

  /** The context runs again after a failure. */
  enum Again implements LocalMessage {
    INSTANCE
  }

  private final ActorContext<Object> context;
  private final RdmaHost host;
  private final OpenRdmaListener command;
  private final ActorRef<ContextEvent> parent;
  private final AcceptedConnections<RdmaConnectionProtocol.Command> connections;
  private final StopRequests stops = new StopRequests();

  /** The connections whose {@link Accepted} is in the mailbox. */
  private final Set<RdmaConnectionNode> arriving = new LinkedHashSet<>();

  private RdmaLoad load;

  /** Whether the port of {@link #load} is this listener's. Another listener may have it later. */
  private boolean isListening;

  private boolean isStopping;

  private RdmaListener(
      ActorContext<Object> context,
      RdmaHost host,
      OpenRdmaListener command,
      ActorRef<ContextEvent> parent) {
    context.setLoggerName(RdmaListener.class);
    this.context = context;
    this.host = host;
    this.command = command;
    this.parent = parent;
    this.connections = new AcceptedConnections<>(context, this::stopListening);
    this.load = host.load();
  }

  /**
   * Returns the behavior of a listener.
   *
   * @param parent receives an event when the listener listens or cannot listen
   * @throws IllegalArgumentException if the port is none
   */
  static Behavior<Command> create(
      RdmaHost host, OpenRdmaListener command, ActorRef<ContextEvent> parent) {
    RdmaSettings.checkPort(command.port());
    return Behaviors.<Object>setup(
            context -> new RdmaListener(context, host, command, parent).begin())
        .narrow();
  }

  private Behavior<Object> begin() {
    try {
      listen();
      host.core().moments().pass(ActorMoment.START);
      parent.tell(new ContextEvent.Running(context.getSelf()));
      return behavior();
    } catch (DocaException e) {
      parent.tell(new ContextEvent.StartFailed(context.getSelf(), e.error()));
      return Behaviors.stopped();
    } catch (RuntimeException e) {
      stopListening(); // an actor whose start throws gets no PostStop
      throw e;
    }
  }

  /**
   * Listens on the current incarnation of the context.
   *
   * @throws DocaException if the context cannot listen
   */
  private void listen() {
    ActorRef<Object> self = context.getSelf();
    load = host.load();
    isListening = false; // the port of the former incarnation has closed
    load.listen(
        command.port(),
        fresh -> {
          arriving.add(fresh);
          self.tell(new Accepted(fresh));
        });
    isListening = true;
    host.listening(self);
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(Accepted.class, this::onAccepted)
        .onMessage(GetConnections.class, this::onGetConnections)
        .onMessageEquals(Again.INSTANCE, this::onAgain)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> onAccepted(Accepted event) {
    RdmaConnectionNode node = event.connection();
    if (arriving.remove(node)) {
      connections.add(
          RdmaConnection.create(host, node, Optional.of(command.behavior())), node.label());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onGetConnections(GetConnections question) {
    question.replyTo().tell(new Connections(connections.list(), load.accepted(), load.refused()));
    return Behaviors.same();
  }

  /**
   * Listens again, unless the context has failed once more. A port that another context has taken
   * meanwhile ends the listener.
   */
  private Behavior<Object> onAgain() {
    if (isStopping || load == host.load() || host.load().running() == null) {
      return Behaviors.same();
    }
    try {
      listen();
      return Behaviors.same();
    } catch (DocaException e) {
      context.getLog().error("{} ends: {}", command.name(), e.error());
      return Behaviors.stopped();
    }
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    if (!isStopping) {
      isStopping = true;
      connections.stop();
    }
    return stopIfEmpty();
  }

  /** Refuses further peers, and closes the connections that have no actor yet. Idempotent. */
  private void stopListening() {
    arriving.forEach(RdmaConnectionNode::close);
    arriving.clear();
    host.notListening(context.getSelf());
    if (isListening) {
      isListening = false;
      load.stopListening();
    }
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    connections.forget(signal.getRef());
    return stopIfEmpty();
  }

  private Behavior<Object> stopIfEmpty() {
    return isStopping && connections.isEmpty() ? Behaviors.stopped() : Behaviors.same();
  }

  private Behavior<Object> onEnd() {
    Steps.all(
        this::stepFailed,
        () -> host.core().moments().pass(ActorMoment.STOP),
        () -> stops.answer(Stopped.CLEAN),
        this::stopListening);
    return Behaviors.same();
  }

  private void stepFailed(RuntimeException cause) {
    context.getLog().error("{} throws at its end: {}", command.name(), cause, cause);
  }
}
