package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.EngineProtocol;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The flow of every kind of task: one element is the input of one task, and its output is the
 * result. The flow opens its buffers when it is materialized. The flow closes them after the end of
 * the stream; the materialized value completes then.
 */
final class TaskFlow {
  private TaskFlow() {}

  /** Counts elements at one place of a stream. One thread at a time. */
  private static final class Counter<T> {
    private final ToIntFunction<T> size;
    private long elements;
    private long bytes;

    Counter(ToIntFunction<T> size) {
      this.size = size;
    }

    T count(T element) {
      elements++;
      bytes += size.applyAsInt(element);
      return element;
    }
  }

  /**
   * Tasks that differ in nothing but their input.
   *
   * @param task makes the message of one task
   * @param inputBytes makes the largest input of the largest element
   * @param outputBytes makes the largest output of the largest element
   * @param <C> messages of the context
   */
  record Plain<C>(
      HeapTasks.Task<C> task, IntUnaryOperator inputBytes, IntUnaryOperator outputBytes) {
    /** Returns the flow of these tasks. */
    <I, O> Flow<I, O, CompletionStage<StreamStatistics>> flow(
        ActorRef<EngineProtocol.Command> engine,
        ActorRef<C> context,
        StreamOptions options,
        Elements.Form<I, O> form) {
      int max = options.maxElementBytes();
      return create(
          engine,
          context,
          options,
          form,
          (place, elements) ->
              place
                  .open(task, inputBytes.applyAsInt(max), outputBytes.applyAsInt(max))
                  .thenApply(tasks -> Tasks.of(tasks, one -> elements.run(tasks, one))));
    }
  }

  /**
   * Returns a flow.
   *
   * @param open opens the tasks of one materialization
   */
  static <C, I, O> Flow<I, O, CompletionStage<StreamStatistics>> create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<C> context,
      StreamOptions options,
      Elements.Form<I, O> form,
      BiFunction<Place<C>, Elements<I, O>, CompletionStage<Tasks<I, O>>> open) {
    return create(
        options.parallelism(),
        options.ordered(),
        form,
        (system, elements) -> open.apply(new Place<>(system, engine, context, options), elements));
  }

  /**
   * Returns a flow.
   *
   * @param parallelism number of elements in flight
   * @param isOrdered whether results keep the order of the elements
   * @param form makes the elements of one materialization
   * @param open opens the tasks of one materialization
   */
  static <I, O> Flow<I, O, CompletionStage<StreamStatistics>> create(
      int parallelism,
      boolean isOrdered,
      Elements.Form<I, O> form,
      BiFunction<ActorSystem<?>, Elements<I, O>, CompletionStage<Tasks<I, O>>> open) {
    return Flow.fromMaterializer(
            (materializer, attributes) -> {
              Elements<I, O> elements = form.apply(dispatcher(materializer, attributes));
              return running(
                      parallelism,
                      isOrdered,
                      Failures.plain(open.apply(Adapter.toTyped(materializer.system()), elements)),
                      new Counter<>(elements::inputBytes),
                      new Counter<>(elements::outputBytes))
                  .mapMaterializedValue(end -> end.thenApply(elements::complete));
            })
        .mapMaterializedValue(stage -> Failures.plain(stage.thenCompose(Function.identity())));
  }

  /** Returns the dispatcher that the program has set for the flow, or that of the materializer. */
  private static Executor dispatcher(Materializer materializer, Attributes attributes) {
    return materializer
        .system()
        .dispatchers()
        .lookup(attributes.getMandatoryAttribute(ActorAttributes.Dispatcher.class).dispatcher());
  }

  /**
   * Returns a source of the results of tasks without an input, one task at a time. An empty result
   * is the end.
   *
   * @param open opens the tasks of one materialization
   */
  static Source<ByteString, CompletionStage<StreamStatistics>> source(
      Function<ActorSystem<?>, CompletionStage<Tasks<ByteString, ByteString>>> open) {
    ByteString none = ByteString.emptyByteString();
    return Source.fromMaterializer(
            (materializer, attributes) -> {
              Counter<ByteString> out = new Counter<>(ByteString::size);
              CompletableFuture<Tasks<ByteString, ByteString>> opened =
                  Failures.plain(open.apply(Adapter.toTyped(materializer.system())))
                      .toCompletableFuture();
              return Source.unfoldAsync(
                      none,
                      input ->
                          Failures.plain(
                              opened
                                  .thenCompose(tasks -> tasks.run().apply(input))
                                  .thenApply(result -> next(input, result))))
                  .map(out::count)
                  .watchTermination(
                      (unused, end) ->
                          statistics(opened, end, new Counter<>(ByteString::size), out));
            })
        .mapMaterializedValue(stage -> Failures.plain(stage.thenCompose(Function.identity())));
  }

  private static Optional<Pair<ByteString, ByteString>> next(ByteString input, ByteString result) {
    return result.isEmpty() ? Optional.empty() : Optional.of(Pair.create(input, result));
  }

  private static <I, O> Flow<I, O, CompletionStage<StreamStatistics>> running(
      int parallelism,
      boolean isOrdered,
      CompletionStage<Tasks<I, O>> opening,
      Counter<I> in,
      Counter<O> out) {
    CompletableFuture<Tasks<I, O>> opened = opening.toCompletableFuture();
    Flow<I, I, NotUsed> elements = Flow.<I>create().map(in::count).prependLazy(gate(opened));
    return (isOrdered
            ? elements.mapAsync(parallelism, element -> run(opened, element))
            : elements.mapAsyncUnordered(parallelism, element -> run(opened, element)))
        .map(out::count)
        .watchTermination((unused, end) -> statistics(opened, end, in, out));
  }

  /** Emits nothing, and completes when the tasks are open. Fails the flow if they do not open. */
  private static <I> Source<I, NotUsed> gate(CompletionStage<? extends Tasks<I, ?>> opened) {
    return Source.completionStage(opened).mapConcat(tasks -> List.<I>of());
  }

  private static <I, O> CompletionStage<O> run(CompletableFuture<Tasks<I, O>> opened, I element) {
    return Failures.plain(opened.join().run().apply(element)); // the gate has waited for it
  }

  private static <I, O> CompletionStage<StreamStatistics> statistics(
      CompletableFuture<Tasks<I, O>> opened,
      CompletionStage<Done> end,
      Counter<I> in,
      Counter<O> out) {
    return end.handle((done, failure) -> failure)
        .thenCompose(failure -> opened.thenCompose(tasks -> close(tasks, failure)))
        .thenApply(
            tasks ->
                new StreamStatistics(
                    in.elements,
                    in.bytes,
                    out.elements,
                    out.bytes,
                    tasks.busyRetries().getAsLong()));
  }

  private static <I, O> CompletionStage<Tasks<I, O>> close(
      Tasks<I, O> tasks, @Nullable Throwable failure) {
    return tasks
        .close()
        .apply(Optional.ofNullable(failure))
        .handle((done, later) -> Failures.first(failure, later))
        .thenCompose(
            first ->
                first == null
                    ? CompletableFuture.completedStage(tasks)
                    : CompletableFuture.failedStage(first));
  }
}
