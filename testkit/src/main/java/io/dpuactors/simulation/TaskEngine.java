package io.dpuactors.simulation;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.TaskOptions;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * The engine or the engine group of a {@link TaskProgram}, as the target of disturbances and aims.
 * World's thread.
 */
record TaskEngine(
    Run run,
    ActorContext<Object> context,
    ActorRef<EngineProtocol.Command> engine,
    boolean isGroup) {
  /** Opens the object of an aim. A client's object is one of its open context. */
  void help(Aim.Help help, TaskClient client) {
    help.open(
        run,
        context,
        this::tell,
        name -> {
          TaskOptions options = TaskOptions.defaults().withWindow(1).withQueue(0);
          tell(new OpenLibrary(client.library(), name, options, context.getSystem().ignoreRef()));
        });
    if (help.isOfClient()) {
      createAnother(client);
    }
  }

  /** Creates an object in the context of a client, which does not use it. */
  private void createAnother(TaskClient client) {
    ActorRef<Object> tasks = client.tasks();
    Object command = TaskModel.of(client.library()).create(run, context.getSystem().ignoreRef());
    if (tasks != null && command != null) {
      tasks.tell(command);
    }
  }

  /** Fails the engine. Of a group sometimes fails one engine only, and the others continue. */
  void fail() {
    if (isGroup && run.chance(60)) {
      run.reached("member fails");
      tellMember(PoisonSignal.NOW, run.draw(0, GroupScenario.MAX_ENGINES - 1));
    } else {
      engine.<Object>unsafeUpcast().tell(PoisonSignal.NOW);
    }
  }

  /** Sends to the engine, or to one engine of the group. */
  private void tell(EngineProtocol.Command command) {
    if (isGroup) {
      tellMember(command, 0);
    } else {
      engine.tell(command);
    }
  }

  private void tellMember(Object message, int number) {
    String member = "%s-%d".formatted(engine.path().name(), number);
    Adapter.toClassic(context.getSystem())
        .actorSelection(Adapter.toClassic(engine).path().child(member))
        .tell(message, org.apache.pekko.actor.ActorRef.noSender());
  }
}
