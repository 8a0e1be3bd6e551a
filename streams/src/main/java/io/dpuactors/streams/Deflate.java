package io.dpuactors.streams;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Compression as a stream. */
public final class Deflate {
  private static final TaskFlow.Plain<CompressProtocol.Command> TASKS =
      new TaskFlow.Plain<>(
          CompressProtocol.Deflate::new, IntUnaryOperator.identity(), Deflate::maxDeflatedBytes);

  private Deflate() {}

  /**
   * Compresses each element into a raw DEFLATE stream (RFC 1951) of the element alone. Results need
   * a frame in a file, such as that of Pekko's {@code Framing.simpleFramingProtocolEncoder}.
   *
   * @param engine the engine or engine group of the context
   * @param context a running compress context
   * @param options elements have 1 to {@link StreamOptions#maxElementBytes} bytes
   * @return the materialized value completes when the stream has ended and its memory is closed; it
   *     fails with the failure of the stream
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

  /**
   * Returns the room for an element that does not compress. A stored block adds 5 bytes. The
   * shortest stored blocks of known compressors have 5,000 bytes; this method allows for half.
   */
  static int maxDeflatedBytes(int bytes) {
    return Math.addExact(bytes, bytes / 500 + 64);
  }
}
