package io.dpuactors.streams;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Decompression as a stream. */
public final class Inflate {
  private static final TaskFlow.Plain<CompressProtocol.Command> TASKS =
      new TaskFlow.Plain<>(
          CompressProtocol.Inflate::new, Deflate::maxDeflatedBytes, IntUnaryOperator.identity());

  private Inflate() {}

  /**
   * Decompresses each element, which is one complete raw DEFLATE stream (RFC 1951), such as {@link
   * Deflate#flow} makes.
   *
   * @param engine the engine or engine group of the context
   * @param context a running compress context
   * @param options {@link StreamOptions#maxElementBytes} limits the decompressed elements
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> context,
      StreamOptions options) {
    return TASKS.flow(engine, context, options, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes the input of each element, and makes its result
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> context,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return TASKS.flow(engine, context, options, Elements.inPlace(access));
  }
}
