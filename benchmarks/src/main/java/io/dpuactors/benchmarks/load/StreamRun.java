package io.dpuactors.benchmarks.load;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.BufferAccess;
import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.Dma;
import io.dpuactors.streams.StreamOptions;
import io.dpuactors.streams.StreamStatistics;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The tasks of a {@link LoopRun} as a stream, with the same amount of content, for repeated runs by
 * one thread. A run includes the opening of the buffers.
 */
public final class StreamRun {
  /** Where the elements are, and the thread of the stages. */
  public enum Form {
    /**
     * In Java's heap: the flow copies them into the memory of the device, and results out of it.
     */
    HEAP("heap"),
    /** In the memory of the device: nothing is copied. */
    IN_PLACE("in-place"),
    /** In the memory of the device, with all stages on the engine's thread, as the actors are. */
    ON_ENGINE("on-engine");

    private final String key;

    Form(String key) {
      this.key = key;
    }

    /** Returns the name of the form in options and results. */
    public String key() {
      return key;
    }

    /** Returns the form with a name. */
    public static Optional<Form> find(String key) {
      return Stream.of(values()).filter(form -> form.key.equals(key)).findFirst();
    }
  }

  /** Fills a new buffer, as the actors do before a run, and later uses the content that it has. */
  private static final BufferAccess<ByteString, Integer> AS_IS =
      new BufferAccess<>() {
        @Override
        public void write(ByteString element, ByteBuffer src) {
          if (src.get(0) == 0) { // no element begins with 0
            element.copyToBuffer(src);
          }
          src.position(element.size());
        }

        @Override
        public Integer read(ByteString element, ByteBuffer dst) {
          return dst.remaining();
        }
      };

  private final ActorSystem<?> system;
  private final Flow<ByteString, ?, CompletionStage<StreamStatistics>> flow;
  private final List<ByteString> elements;
  private final Attributes attributes;

  private StreamRun(
      ActorSystem<?> system,
      Flow<ByteString, ?, CompletionStage<StreamStatistics>> flow,
      Load load,
      Form form) {
    this.system = system;
    this.flow = flow;
    this.attributes =
        form == Form.ON_ENGINE
            ? ActorAttributes.dispatcher("dpu-engine-" + LoadSystem.engineName(0))
            : Attributes.none();
    this.elements = IntStream.range(0, load.window()).mapToObj(i -> element(load, i)).toList();
  }

  private static ByteString element(Load load, int number) {
    byte[] bytes = new byte[load.bytes()];
    Arrays.fill(bytes, (byte) (number | 0x80));
    return ByteString.fromArrayUnsafe(bytes);
  }

  /**
   * Opens the context of a flow on the first engine.
   *
   * @throws IllegalArgumentException if no flow has this kind of load
   */
  static StreamRun open(LoadSystem system, ActorSystem<?> actors, Load load, Form form) {
    StreamOptions options =
        StreamOptions.of(load.bytes()).withParallelism(load.window()).withHugePages();
    TaskOptions tasks =
        TaskOptions.defaults().withKinds(load.kind().task()).withWindow(load.window());
    return new StreamRun(
        actors,
        switch (load.kind()) {
          case COMPRESS ->
              deflate(
                  system.engine(0),
                  system.<CompressProtocol.Command, CompressProtocol.OpenReply>open(
                      0, me -> new OpenCompress("stream", tasks, me)),
                  options,
                  form);
          case DMA ->
              copy(
                  system.engine(0),
                  system.<DmaProtocol.Command, DmaProtocol.OpenReply>open(
                      0, me -> new OpenDma("stream", tasks, me)),
                  options,
                  form);
          default -> throw new IllegalArgumentException("no stream of " + load.kind().key());
        },
        load,
        form);
  }

  private static Flow<ByteString, ?, CompletionStage<StreamStatistics>> deflate(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> context,
      StreamOptions options,
      Form form) {
    return form == Form.HEAP
        ? Deflate.flow(engine, context, options)
        : Deflate.flow(engine, context, options, AS_IS);
  }

  private static Flow<ByteString, ?, CompletionStage<StreamStatistics>> copy(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<DmaProtocol.Command> context,
      StreamOptions options,
      Form form) {
    return form == Form.HEAP
        ? Dma.flow(engine, context, options)
        : Dma.flow(engine, context, options, AS_IS);
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
                .addAttributes(attributes)
                .run(system)
                .toCompletableFuture(),
            LoadSystem.RUN_LIMIT);
    return new Outcome.Done(end.elementsOut(), System.nanoTime() - beginNs, Outcome.Done.UNKNOWN);
  }
}
