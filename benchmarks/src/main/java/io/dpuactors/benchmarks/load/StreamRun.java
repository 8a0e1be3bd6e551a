package io.dpuactors.benchmarks.load;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.Dma;
import io.dpuactors.streams.StreamOptions;
import io.dpuactors.streams.StreamStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The tasks of a {@link LoopRun} as a stream, with the same content, for repeated runs by one
 * thread. A run includes the copies from and to the heap, and the opening of the buffers.
 */
public final class StreamRun {
  private final ActorSystem<?> system;
  private final Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow;
  private final List<ByteString> elements;

  private StreamRun(
      ActorSystem<?> system,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow,
      Load load) {
    this.system = system;
    this.flow = flow;
    this.elements = IntStream.range(0, load.window()).mapToObj(i -> element(load, i)).toList();
  }

  private static ByteString element(Load load, int number) {
    byte[] bytes = new byte[load.bytes()];
    Arrays.fill(bytes, (byte) number);
    return ByteString.fromArrayUnsafe(bytes);
  }

  /**
   * Opens the context of a flow on the first engine.
   *
   * @throws IllegalArgumentException if no flow has this kind of load
   */
  static StreamRun open(LoadSystem system, ActorSystem<?> actors, Load load) {
    StreamOptions options = StreamOptions.of(load.bytes()).withParallelism(load.window());
    TaskOptions tasks =
        TaskOptions.defaults().withKinds(load.kind().task()).withWindow(load.window());
    ActorRef<EngineProtocol.Command> engine = system.engine(0);
    return new StreamRun(
        actors,
        switch (load.kind()) {
          case COMPRESS ->
              Deflate.flow(
                  engine,
                  system.<CompressProtocol.Command, CompressProtocol.OpenReply>open(
                      0, me -> new OpenCompress("stream", tasks, me)),
                  options);
          case DMA ->
              Dma.flow(
                  engine,
                  system.<DmaProtocol.Command, DmaProtocol.OpenReply>open(
                      0, me -> new OpenDma("stream", tasks, me)),
                  options);
          default -> throw new IllegalArgumentException("no stream of " + load.kind().key());
        },
        load);
  }

  /**
   * Runs a number of tasks. The allocation of these tasks is not known, because it has many
   * threads.
   */
  public Outcome run(long count) {
    long beginNs = System.nanoTime();
    StreamStatistics end =
        Asking.await(
            Source.cycle(elements::iterator)
                .take(count)
                .viaMat(flow, Keep.right())
                .to(Sink.ignore())
                .run(system)
                .toCompletableFuture(),
            LoadSystem.RUN_LIMIT);
    return new Outcome.Done(end.elementsOut(), System.nanoTime() - beginNs, Outcome.Done.UNKNOWN);
  }
}
