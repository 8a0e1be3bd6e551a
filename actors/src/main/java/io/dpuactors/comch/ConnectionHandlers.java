package io.dpuactors.comch;

import io.dpuactors.context.ConnectionLife;
import io.dpuactors.context.ContextEvent;
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
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/**
 * The common part of both sides' connection actors. Passes requests to the native half of the
 * connection, and creates its children: consumers, producers and the behavior.
 */
final class ConnectionHandlers {
  private final ActorContext<Object> context;
  private final EngineCore core;
  private final ComchSettings settings;
  private final Link link;
  private final ConnectionLife life;

  ConnectionHandlers(
      ActorContext<Object> context,
      EngineCore core,
      ComchSettings settings,
      Link link,
      ConnectionLife life) {
    this.context = context;
    this.core = core;
    this.settings = settings;
    this.link = link;
    this.life = life;
  }

  /** Spawns the behavior of the connection as a child and subscribes it. */
  void serve(ConnectionBehavior served, ConnectionOptions options) {
    int credit = settings.credit(options);
    ActorRef<ConnectionEvent> child =
        life.serve(
            ServedBehavior.of(served, options, credit, context.getSelf().narrow()),
            options.dispatcher().orElseGet(DispatcherSelector::sameAsParent));
    link.subscribe(new Subscribe(child, credit));
  }

  /** Returns the handlers of the requests. Every request is answered. */
  BehaviorBuilder<Object> requests() {
    return Behaviors.receive(Object.class)
        .onMessage(Send.class, staying(link::send))
        .onMessage(Grant.class, staying(grant -> link.grant(grant.messages())))
        .onMessage(ReceiveMessage.class, staying(link::receive))
        .onMessage(Subscribe.class, staying(link::subscribe))
        .onMessage(AwaitConsumer.class, staying(link::await))
        .onMessage(GetInfo.class, staying(question -> question.replyTo().tell(link.info())))
        .onMessage(OpenProducer.class, this::onOpenProducer)
        .onMessage(OpenConsumer.class, this::onOpenConsumer);
  }

  /** Returns a handler that keeps the behavior. */
  private static <M> Function<M, Behavior<Object>> staying(Consumer<M> action) {
    return message -> {
      action.accept(message);
      return Behaviors.same();
    };
  }

  private Behavior<Object> onOpenProducer(OpenProducer command) {
    return life.open(
        command, () -> ComchProducer.create(core, link, settings, command.options(), self()));
  }

  private Behavior<Object> onOpenConsumer(OpenConsumer command) {
    return life.open(
        command, () -> ComchConsumer.create(core, link, settings, command.options(), self()));
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }
}
