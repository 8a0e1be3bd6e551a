package io.dpuactors.apps.simulation;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.streams.AesGcm;
import io.dpuactors.streams.Comch;
import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.Dma;
import io.dpuactors.streams.Inflate;
import io.dpuactors.streams.StreamOptions;
import io.dpuactors.streams.StreamStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.RestartFlow;
import org.apache.pekko.util.ByteString;

/** The random flows of one graph. Each restores the elements that it has changed. */
final class StreamSegments {
  private static final int MAX_SEGMENTS = 3;
  private static final SecretKey KEY = new SecretKeySpec(new byte[16], "AES");

  private final SimulatedSystem system;
  private final Devices devices;
  private final ConnectionOptions connections;
  private final boolean isCalm;
  private final List<CompletableFuture<StreamStatistics>> ends = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private boolean isOrdered = true;
  private boolean mayLose;
  private boolean mayCancel;

  StreamSegments(
      SimulatedSystem system, Devices devices, ConnectionOptions connections, boolean isCalm) {
    this.system = system;
    this.devices = devices;
    this.connections = connections;
    this.isCalm = isCalm;
  }

  /** Returns the materialized values of the flows so far. A restarted flow has several. */
  List<CompletableFuture<StreamStatistics>> ends() {
    return ends;
  }

  /** Returns whether the results keep the order of the elements. */
  boolean isOrdered() {
    return isOrdered;
  }

  /** Returns whether a failure drops elements, and the graph continues. */
  boolean mayLose() {
    return mayLose;
  }

  /** Returns whether the peer may end both directions before the last element. */
  boolean mayCancel() {
    return mayCancel;
  }

  Flow<ByteString, ByteString, NotUsed> draw() {
    Flow<ByteString, ByteString, NotUsed> flow = Flow.of(ByteString.class);
    int count = system.draw(0, MAX_SEGMENTS);
    for (int i = 0; i < count; i++) {
      flow = flow.via(wrapped(segment()));
    }
    return flow;
  }

  /**
   * Returns a segment that opens again after a failure, or that drops failed elements, or as is.
   */
  private Flow<ByteString, ByteString, NotUsed> wrapped(
      Supplier<Flow<ByteString, ByteString, NotUsed>> segment) {
    if (system.chance(15)) {
      names.add("restarts");
      mayLose = true;
      RestartSettings settings =
          RestartSettings.create(Duration.ofNanos(10_000), Duration.ofMillis(2), 0.2)
              .withMaxRestarts(system.draw(1, 3), Duration.ofMinutes(1));
      return RestartFlow.onFailuresWithBackoff(settings, segment::get);
    }
    if (system.chance(15)) {
      names.add("resumes");
      mayLose = true;
      return segment
          .get()
          .withAttributes(
              ActorAttributes.withSupervisionStrategy(Supervision.getResumingDecider()));
    }
    return segment.get();
  }

  private Supplier<Flow<ByteString, ByteString, NotUsed>> segment() {
    StreamOptions options = options();
    return switch (system.draw(0, 7)) {
      case 0, 1 -> named("dma", () -> noted(Dma.flow(devices.host(), devices.dma(), options)));
      case 2, 3 ->
          named(
              "compress",
              () ->
                  noted(Deflate.flow(devices.host(), devices.compress(), options))
                      .via(noted(Inflate.flow(devices.host(), devices.compress(), options))));
      case 4 ->
          named(
              "aes",
              () ->
                  noted(AesGcm.encrypt(devices.host(), devices.aes(), KEY, options))
                      .via(noted(AesGcm.decrypt(devices.host(), devices.aes(), KEY, options))));
      case 5, 6 -> connection();
      default -> local();
    };
  }

  private Supplier<Flow<ByteString, ByteString, NotUsed>> connection() {
    mayCancel |= !isCalm; // the peer may take few elements
    ClientOptions options = ClientOptions.of(StreamsProgram.SERVICE).withConnection(connections);
    return named("comch", () -> noted(Comch.outgoingConnection(devices.host(), options)));
  }

  /** Returns stages of Pekko, which change the timing. */
  private Supplier<Flow<ByteString, ByteString, NotUsed>> local() {
    int size = system.draw(1, 8);
    Flow<ByteString, ByteString, NotUsed> flow = Flow.of(ByteString.class);
    return system.chance(50)
        ? named("buffer", () -> flow.buffer(size, OverflowStrategy.backpressure()))
        : named("async", () -> flow.grouped(size).async().mapConcat(group -> group));
  }

  private Supplier<Flow<ByteString, ByteString, NotUsed>> named(
      String name, Supplier<Flow<ByteString, ByteString, NotUsed>> segment) {
    names.add(name);
    system.reached("flow " + name);
    return segment;
  }

  private StreamOptions options() {
    StreamOptions options =
        StreamOptions.of(StreamGraph.MAX_BYTES * 2)
            .withParallelism(system.draw(1, 6))
            .withBusyRetry(Duration.ofNanos(system.draw(1_000, 50_000)), Duration.ofMillis(1));
    if (!isCalm && system.chance(20)) {
      options = options.withDeadline(Duration.ofMillis(system.draw(1, 100)));
    }
    if (system.chance(75)) {
      return options;
    }
    isOrdered = false;
    return options.unordered();
  }

  private Flow<ByteString, ByteString, NotUsed> noted(
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow) {
    return flow.mapMaterializedValue(
        end -> {
          ends.add(end.toCompletableFuture());
          return NotUsed.getInstance();
        });
  }

  @Override
  public String toString() {
    return String.join(" ", names);
  }
}
