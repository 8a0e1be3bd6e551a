package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.Link;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.Grant;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.OpenRequest;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The common part of both sides' connection actors. Passes requests to the native half of the
 * connection and supervises its children: consumers, producers and the behavior.
 */
final class ConnectionHandlers {
  private static final String BEHAVIOR = "behavior";

  private enum Tick implements LocalMessage {
    BEHAVIOR_DEADLINE
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final EngineCore core;
  private final ComchSettings settings;
  private final Link link;
  private final OpenContexts data = new OpenContexts();
  private @Nullable ActorRef<ConnectionEvent> behavior;

  ConnectionHandlers(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      ComchSettings settings,
      Link link) {
    this.context = context;
    this.timers = timers;
    this.core = core;
    this.settings = settings;
    this.link = link;
  }

  /** Spawns the behavior of the connection as a child and subscribes it. */
  void serve(ConnectionBehavior served, ConnectionOptions options) {
    int credit = settings.credit(options);
    ActorRef<ConnectionEvent> child =
        context.spawn(
            ServedBehavior.of(served, options, credit, context.getSelf().narrow()),
            BEHAVIOR,
            options.dispatcher().orElseGet(DispatcherSelector::sameAsParent));
    context.watch(child);
    behavior = child;
    link.subscribe(new Subscribe(child, credit));
  }

  /** Adds the handlers of an open connection. */
  BehaviorBuilder<Object> open(BehaviorBuilder<Object> builder) {
    return requests(builder)
        .onMessage(OpenProducer.class, this::onOpenProducer)
        .onMessage(OpenConsumer.class, this::onOpenConsumer)
        .onMessage(ContextEvent.Running.class, this::onRunning)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed);
  }

  /** Adds the handlers of a closing connection. Every request is answered. */
  BehaviorBuilder<Object> closing(BehaviorBuilder<Object> builder) {
    return requests(builder)
        .onMessage(OpenProducer.class, this::refuse)
        .onMessage(OpenConsumer.class, this::refuse)
        .onMessage(ContextEvent.Running.class, event -> Behaviors.same())
        .onMessageEquals(Tick.BEHAVIOR_DEADLINE, this::onBehaviorDeadline)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed);
  }

  private BehaviorBuilder<Object> requests(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(
            Send.class,
            request -> {
              link.send(request);
              return Behaviors.same();
            })
        .onMessage(
            Grant.class,
            grant -> {
              link.grant(grant.messages());
              return Behaviors.same();
            })
        .onMessage(
            ReceiveMessage.class,
            request -> {
              link.receive(request);
              return Behaviors.same();
            })
        .onMessage(
            Subscribe.class,
            request -> {
              link.subscribe(request);
              return Behaviors.same();
            })
        .onMessage(
            AwaitConsumer.class,
            request -> {
              link.await(request);
              return Behaviors.same();
            })
        .onMessage(
            GetInfo.class,
            question -> {
              question.replyTo().tell(link.info());
              return Behaviors.same();
            });
  }

  private Behavior<Object> onOpenProducer(OpenProducer command) {
    return open(
        command, () -> ComchProducer.create(core, link, settings, command.options(), self()));
  }

  private Behavior<Object> onOpenConsumer(OpenConsumer command) {
    return open(
        command, () -> ComchConsumer.create(core, link, settings, command.options(), self()));
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }

  private <C> Behavior<Object> open(OpenRequest<C> command, Supplier<Behavior<C>> fresh) {
    data.open(context, command, fresh);
    return Behaviors.same();
  }

  private Behavior<Object> refuse(OpenRequest<?> command) {
    OpenContexts.refuse(command, DocaCode.SHUTDOWN, "the connection is closing");
    return Behaviors.same();
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("open", code.value(), why);
  }

  private Behavior<Object> onRunning(ContextEvent.Running event) {
    data.running(event.context());
    return Behaviors.same();
  }

  private Behavior<Object> onStartFailed(ContextEvent.StartFailed event) {
    data.failed(event.context(), event.error());
    return Behaviors.same();
  }

  /** Asks consumers and producers to stop. */
  void stopData() {
    data.stopAll();
  }

  /**
   * Refuses unanswered commands for consumers and producers, because the connection's actor ends.
   */
  void failOpening() {
    data.failAll(error(DocaCode.SHUTDOWN, "the connection has ended"));
  }

  /** Returns whether a consumer or producer has not sent {@code Terminated}. */
  boolean hasData() {
    return !data.isEmpty();
  }

  /** Returns whether the behavior has not sent {@code Terminated}. */
  boolean isServed() {
    return behavior != null;
  }

  /** Gives the behavior of an ended connection its deadline to end. */
  void awaitBehavior() {
    timers.startSingleTimer(Tick.BEHAVIOR_DEADLINE, settings.behaviorDeadline());
  }

  private Behavior<Object> onBehaviorDeadline() {
    if (behavior != null) {
      core.log(context::getLog)
          .context(link.name())
          .device(link.device())
          .warn("the behavior did not end with its connection; stopping it");
      context.stop(behavior);
    }
    return Behaviors.same();
  }

  /**
   * Removes a child that has ended.
   *
   * @return whether it was the behavior
   */
  boolean forget(ActorRef<?> child) {
    if (child.equals(behavior)) {
      behavior = null;
      return true;
    }
    data.failed(child, error(DocaCode.SHUTDOWN, child.path().name() + " ended before it ran"));
    data.remove(child);
    return false;
  }
}
