package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * Where the tasks of a flow run.
 *
 * @param system the actor system of the stream
 * @param engine the engine or engine group of the context
 * @param context the context
 * @param options options of the flow
 * @param <C> messages of the context
 */
record Place<C>(
    ActorSystem<?> system,
    ActorRef<EngineProtocol.Command> engine,
    ActorRef<C> context,
    StreamOptions options) {
  /** Opens the buffers of tasks. */
  CompletionStage<HeapTasks<C>> open(
      HeapTasks.Task<C> task, int maxInputBytes, int maxOutputBytes) {
    return HeapTasks.open(
        system, engine, context, task, options.tasks(maxInputBytes, maxOutputBytes));
  }

  <R> CompletionStage<R> ask(Function<ActorRef<R>, C> request) {
    return AskPattern.ask(context, request::apply, options.deadline(), system.scheduler());
  }

  /** Destroys an object of the context. An object that is not destroyed ends with its context. */
  CompletionStage<Done> destroy(Function<ActorRef<ObjectDestroyed>, C> request) {
    return ask(request).thenApply(destroyed -> Done.getInstance());
  }
}
