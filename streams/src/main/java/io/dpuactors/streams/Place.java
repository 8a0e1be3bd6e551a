package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

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

  /**
   * Opens tasks that use an object of the context, such as a key. The object has an owner, so that
   * it ends with these tasks also if its creation or its destruction is not answered in time.
   *
   * @param create creates the object of an owner
   * @param open opens the tasks
   * @param destroy destroys the object
   */
  <T, I, O> CompletionStage<Tasks<I, O>> using(
      Function<ObjectOwner, CompletionStage<T>> create,
      Function<T, CompletionStage<Tasks<I, O>>> open,
      Function<T, CompletionStage<Done>> destroy) {
    ObjectOwner owner = ObjectOwner.start(system);
    CompletionStage<T> created =
        CompletableFuture.completedStage(owner)
            .thenCompose(create) // a thrown exception also ends the owner
            .whenComplete((object, failure) -> endAfter(failure, owner));
    return Tasks.using(
        created,
        open,
        object -> destroy.apply(object).whenComplete((done, failure) -> owner.end()));
  }

  private static void endAfter(@Nullable Throwable failure, ObjectOwner owner) {
    if (failure != null) {
      owner.end();
    }
  }

  /** Destroys an object of the context. */
  CompletionStage<Done> destroy(Function<ActorRef<ObjectDestroyed>, C> request) {
    return ask(request).thenApply(destroyed -> Done.getInstance());
  }
}
