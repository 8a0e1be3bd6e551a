package io.dpuactors.streams;

import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Copies as a stream. */
public final class Dma {
  private static final TaskFlow.Plain<DmaProtocol.Command> TASKS =
      new TaskFlow.Plain<>(
          DmaProtocol.Copy::new, IntUnaryOperator.identity(), IntUnaryOperator.identity());

  private Dma() {}

  /**
   * Copies each element by the device. A failed copy stops the DOCA context, so it also fails the
   * other copies in flight; see {@link DmaProtocol}.
   *
   * @param engine the engine or engine group of the context
   * @param context a running DMA context
   * @param options elements have 1 to {@link StreamOptions#maxElementBytes} bytes
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<DmaProtocol.Command> context,
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
      ActorRef<DmaProtocol.Command> context,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return TASKS.flow(engine, context, options, Elements.inPlace(access));
  }
}
