package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.Steps;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.loop.EngineLog;
import io.dpuactors.node.BufferTakers;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOwner;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.NodeActors;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Stop;
import java.util.function.ObjIntConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A producer or consumer as an actor, child of its connection. When DOCA's context ends by itself,
 * the actor ends too and answers all waiting requests.
 */
final class DataContext {
  /** Opens the native half. The owner receives its lifecycle events. */
  @FunctionalInterface
  interface Opening {
    ContextNode<TaskLane<DeviceRequest>> open(String name, ContextOwner owner);
  }

  private final ActorContext<Object> context;
  private final BufferTakers takers;
  private final ActorRef<ContextEvent> connection;
  private final Object incarnation = new Object();
  private final ContextNode<TaskLane<DeviceRequest>> node;
  private final StopRequests stops = new StopRequests();

  /**
   * Returns the behavior of a producer or consumer.
   *
   * @param requests the class of the requests
   * @param question the class of the question for the id that the peer uses
   * @param answer answers the question; the id is 0 unless the context runs
   */
  static <Q, C> Behavior<C> create(
      EngineCore core,
      ActorRef<ContextEvent> connection,
      Class<? extends DeviceRequest> requests,
      Class<Q> question,
      ObjIntConsumer<Q> answer,
      Opening opening) {
    return Behaviors.<Object>setup(
            context ->
                NodeActors.start(
                    core,
                    context.getSelf(),
                    () ->
                        new DataContext(context, core.pools().takers(), connection, opening)
                            .behavior(requests, question, answer)))
        .narrow();
  }

  private DataContext(
      ActorContext<Object> context,
      BufferTakers takers,
      ActorRef<ContextEvent> connection,
      Opening opening) {
    context.setLoggerName(DataContext.class);
    this.context = context;
    this.takers = takers;
    this.connection = connection;
    this.node =
        opening.open(
            context.getSelf().path().name(), NodeEvent.owner(context.getSelf(), incarnation));
    takers.join(context.getSelf());
  }

  private <Q> Behavior<Object> behavior(
      Class<? extends DeviceRequest> requests, Class<Q> question, ObjIntConsumer<Q> answer) {
    return Behaviors.receive(Object.class)
        .onMessage(question, asked -> onQuestion(asked, answer))
        .onMessage(requests, this::onRequest)
        .onMessage(MailboxMarker.class, this::onMarker)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private <Q> Behavior<Object> onQuestion(Q question, ObjIntConsumer<Q> answer) {
    DocaContext running = node.running();
    answer.accept(question, running == null ? 0 : Comch.id(running));
    return Behaviors.same();
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    takers.expect(request);
    node.load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    node.stop();
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    if (event instanceof NodeEvent.Failed failed) {
      return onFailed(failed.error());
    }
    connection.tell(new ContextEvent.Running(context.getSelf()));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    connection.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    EngineLog log = node.log(context::getLog);
    String name = context.getSelf().path().name();
    if (error.code() == DocaCode.NOT_CONNECTED) {
      log.debug("{} ends: {}", name, error); // the connection's own end is reported
    } else {
      log.info("{} ends: {}", name, error);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onEnd() {
    takers.leave(context.getSelf());
    Steps.all(
        this::stepFailed, () -> node.pass(ActorMoment.STOP), node::close, () -> stops.answer(node));
    return Behaviors.same();
  }

  private void stepFailed(RuntimeException cause) {
    node.log(context::getLog).error("{} throws at its end: {}", node, cause, cause);
  }
}
