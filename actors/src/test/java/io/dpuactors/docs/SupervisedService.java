package io.dpuactors.docs;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that owns an engine and a context, and reports their ends. */
final class SupervisedService {
  private final ActorRef<Object> events;

  private SupervisedService(ActorRef<Object> events) {
    this.events = events;
  }

  static Behavior<Object> create(ActorRef<Object> events) {
    return Behaviors.setup(context -> new SupervisedService(events).start(context));
  }

  // tag::service[]
  private Behavior<Object> start(ActorContext<Object> context) {
    ActorRef<EngineProtocol.Command> engine = Engine.spawn(context, "engine");
    context.watch(engine);
    CompressOptions options =
        CompressOptions.defaults()
            .withKinds(TaskKind.COMPRESS_DEFLATE)
            .withSupervision(SupervisorStrategy.restart().withLimit(3, Duration.ofMinutes(1)));
    engine.tell(new OpenCompress("compress", options, context.getSelf().narrow()));
    return Behaviors.receive(Object.class)
        .onMessage(OpenReply.class, reply -> onOpened(context, reply))
        .onSignal(ChildFailed.class, this::onEngineFailed)
        .onSignal(Terminated.class, this::onContextGone)
        .build();
  }

  private Behavior<Object> onOpened(ActorContext<Object> context, OpenReply<?> reply) {
    if (reply instanceof Opened<?> opened) {
      context.watch(opened.context());
      events.tell(opened); // notifies the users of the context
      return Behaviors.same();
    }
    events.tell("not opened: " + ((OpenFailed<?>) reply).error());
    return Behaviors.stopped(); // also stops the engine
  }

  private Behavior<Object> onEngineFailed(ChildFailed signal) {
    events.tell("no engine: " + signal.cause().getMessage());
    return Behaviors.stopped();
  }

  private Behavior<Object> onContextGone(Terminated signal) {
    events.tell(signal.getRef().path().name() + " failed too often");
    return Behaviors.stopped();
  }

  // end::service[]
}
