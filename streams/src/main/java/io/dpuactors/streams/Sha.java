package io.dpuactors.streams;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
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
    return TaskFlow.create(
        engine,
        context,
        options,
        (src, dst, replyTo) -> new ShaProtocol.Hash(algorithm, src, dst, replyTo),
        IntUnaryOperator.identity(),
        max -> algorithm.digestBytes());
  }
}
