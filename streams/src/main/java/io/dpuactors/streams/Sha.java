package io.dpuactors.streams;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.streams.ShaDigest.Part;
import io.dpuactors.streams.ShaDigest.Parts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;

/** Digests as streams. */
public final class Sha {
  private Sha() {}

  /**
   * Emits the digest of each element.
   *
   * @param engine the engine or engine group of the context
   * @param context a running SHA context
   * @param algorithm the hash function
   * @param options elements have 1 to {@link StreamOptions#maxElementBytes} bytes
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ShaProtocol.Command> context,
      Algorithm algorithm,
      StreamOptions options) {
    return tasks(algorithm).flow(engine, context, options, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes the input of each element, and makes its result of the digest
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ShaProtocol.Command> context,
      Algorithm algorithm,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return tasks(algorithm).flow(engine, context, options, Elements.inPlace(access));
  }

  private static TaskFlow.Plain<ShaProtocol.Command> tasks(Algorithm algorithm) {
    return new TaskFlow.Plain<>(
        (src, dst, replyTo) -> new ShaProtocol.Hash(algorithm, src, dst, replyTo),
        IntUnaryOperator.identity(),
        max -> algorithm.digestBytes());
  }

  /**
   * Returns the digest of all elements together. The elements may have any size, also 0. The device
   * hashes parts of at most {@link StreamOptions#maxElementBytes}, rounded to blocks of the
   * algorithm, one at a time.
   *
   * @param engine the engine of the context
   * @param context a running SHA context; a message of more than one part uses one of its sessions
   * @param algorithm the hash function
   * @param options the order and the parallelism have no effect
   * @return the materialized value is the digest; it fails with the failure of the stream. The
   *     value completes when the session and the memory are closed. A supervision strategy has no
   *     effect: a digest without a part would be that of another message
   */
  public static Sink<ByteString, CompletionStage<ByteString>> sink(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ShaProtocol.Command> context,
      Algorithm algorithm,
      StreamOptions options) {
    StreamOptions one = options.withParallelism(1);
    return Sink.fromMaterializer(
            (materializer, attributes) ->
                digesting(
                    ShaDigest.open(
                        new Place<>(Adapter.toTyped(materializer.system()), engine, context, one),
                        algorithm),
                    ShaDigest.partBytes(algorithm, one)))
        .mapMaterializedValue(stage -> Failures.plain(stage.thenCompose(digest -> digest)));
  }

  private static Sink<ByteString, CompletionStage<ByteString>> digesting(
      ShaDigest digest, int partBytes) {
    return Flow.of(ByteString.class)
        .<Parts, List<Part>>statefulMap(
            () -> new Parts(partBytes),
            (parts, element) -> Pair.create(parts, parts.add(element)),
            parts -> Optional.of(parts.end()))
        .mapConcat(parts -> parts)
        .mapAsync(1, part -> Failures.plain(digest.add(part)))
        .reduce((earlier, later) -> later)
        .addAttributes(Failures.DROP_NOTHING)
        .toMat(Sink.head(), Keep.right()) // Sink.last never completes if the materializer ends
        .mapMaterializedValue(last -> closing(digest, last));
  }

  private static CompletionStage<ByteString> closing(
      ShaDigest digest, CompletionStage<ByteString> last) {
    return last.handle(
            (value, failure) ->
                digest
                    .close()
                    .handle((done, later) -> Failures.first(failure, later))
                    .thenCompose(
                        first ->
                            first == null
                                ? CompletableFuture.completedStage(value)
                                : CompletableFuture.<ByteString>failedStage(first)))
        .thenCompose(result -> result);
  }
}
