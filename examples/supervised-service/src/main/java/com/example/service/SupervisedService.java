package com.example.service;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that owns an engine and a context, and reports their ends. */
public final class SupervisedService {
  /** A message to the service. */
  public sealed interface Command {}

  private record CompressReply(CompressProtocol.OpenReply reply) implements Command {}

  private final ActorContext<Command> context;
  private final Consumer<Object> events;

  private SupervisedService(ActorContext<Command> context, Consumer<Object> events) {
    this.context = context;
    this.events = events;
  }

  /** Runs the service until its context fails too often, or until the program is stopped. */
  public static void main(String[] args) {
    ActorSystem.create(SupervisedService.create(System.out::println), "service");
  }

  /**
   * Creates the service.
   *
   * @param events receives {@code Opened}, and the reason for the end of the service; called in the
   *     service's thread
   */
  public static Behavior<Command> create(Consumer<Object> events) {
    return Behaviors.setup(context -> new SupervisedService(context, events).start());
  }

  // tag::service[]
  private Behavior<Command> start() {
    ActorRef<EngineProtocol.Command> engine = Engine.spawn(context, "engine");
    context.watch(engine);
    TaskOptions options =
        TaskOptions.defaults()
            .withKinds(TaskKind.COMPRESS_DEFLATE)
            .withSupervision(SupervisorStrategy.restart().withLimit(3, Duration.ofMinutes(1)));
    engine.tell(
        new OpenCompress(
            "compress",
            options,
            context.messageAdapter(CompressProtocol.OpenReply.class, CompressReply::new)));
    return Behaviors.receive(Command.class)
        .onMessage(CompressReply.class, message -> onOpened(message.reply()))
        .onSignal(ChildFailed.class, this::onEngineFailed)
        .onSignal(Terminated.class, this::onContextGone)
        .build();
  }

  private Behavior<Command> onOpened(CompressProtocol.OpenReply reply) {
    if (reply instanceof CompressProtocol.Opened opened) {
      context.watch(opened.context());
      events.accept(opened); // notifies the users of the context
      return Behaviors.same();
    }
    events.accept("not opened: " + ((CompressProtocol.OpenFailed) reply).error());
    return Behaviors.stopped(); // also stops the engine
  }

  private Behavior<Command> onEngineFailed(ChildFailed signal) {
    events.accept("no engine: " + signal.cause().getMessage());
    return Behaviors.stopped();
  }

  private Behavior<Command> onContextGone(Terminated signal) {
    events.accept(signal.getRef().path().name() + " has ended");
    return Behaviors.stopped();
  }
  // end::service[]
}
