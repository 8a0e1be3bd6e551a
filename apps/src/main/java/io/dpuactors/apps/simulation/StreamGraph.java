package io.dpuactors.apps.simulation;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.streams.StreamStatistics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * One graph: a source of numbered elements, random flows that restore each element, and a sink that
 * compares the elements with those of the source. The stream ends in one of several ways.
 */
final class StreamGraph {
  static final int MAX_BYTES = 1500;

  private static final int MAX_ELEMENTS = 30;
  private static final String PLANNED = "planned failure";

  /** The end of a graph if nothing disturbs it. */
  private enum End {
    /** All elements pass. */
    COMPLETE,
    /** The sink cancels after some elements. */
    TAKE,
    /** The source fails after some elements. */
    SOURCE_FAILS,
    /** The sink fails at an element. */
    SINK_FAILS,
    /** A switch completes the graph at a random time. */
    SHUTDOWN,
    /** A switch fails the graph at a random time. */
    ABORT
  }

  private final SimulatedSystem system;
  private final int number;
  private final boolean isCalm;
  private final StreamSegments segments;
  private final End end;
  private final int last;
  private final List<ByteString> elements = new ArrayList<>();
  private final List<ByteString> received = new ArrayList<>();
  private final CompletableFuture<Done> done = new CompletableFuture<>();

  StreamGraph(
      SimulatedSystem system,
      Devices devices,
      ConnectionOptions connections,
      int number,
      boolean isCalm) {
    this.system = system;
    this.number = number;
    this.isCalm = isCalm;
    this.segments = new StreamSegments(system, devices, connections, isCalm);
    this.end = system.oneOf(End.values());
    int count = system.requests(system.draw(0, MAX_ELEMENTS));
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[system.draw(Integer.BYTES, MAX_BYTES)];
      fill(bytes);
      ByteBuffer.wrap(bytes).putInt(i);
      elements.add(ByteString.fromArray(bytes));
    }
    this.last = system.draw(0, MAX_ELEMENTS);
  }

  /** Half of the elements compress. */
  private void fill(byte[] bytes) {
    if (system.chance(50)) {
      system.fill(bytes);
    } else {
      Arrays.fill(bytes, (byte) system.draw(0, 255));
    }
  }

  void start(Materializer materializer) {
    Flow<ByteString, ByteString, NotUsed> flow = segments.draw();
    Pair<UniqueKillSwitch, CompletionStage<Done>> running =
        source()
            .via(flow)
            .viaMat(KillSwitches.single(), Keep.right())
            .via(sink())
            .toMat(Sink.foreach(received::add), Keep.both())
            .run(materializer);
    running.second().whenComplete(this::ended);
    if (end == End.SHUTDOWN || end == End.ABORT) {
      system
          .actorSystem()
          .scheduler()
          .scheduleOnce(
              Duration.ofNanos(system.draw(0, 500_000)),
              () -> stop(running.first()),
              system.actorSystem().executionContext());
    }
  }

  private void ended(@Nullable Done value, @Nullable Throwable failure) {
    if (failure == null) {
      done.complete(Done.getInstance());
    } else {
      done.completeExceptionally(failure);
    }
    system.note("graph %d: %s".formatted(number, result()));
  }

  private void stop(UniqueKillSwitch kill) {
    if (end == End.ABORT) {
      kill.abort(new IllegalStateException(PLANNED));
    } else {
      kill.shutdown();
    }
  }

  private Source<ByteString, NotUsed> source() {
    Source<ByteString, NotUsed> source = Source.from(elements);
    if (system.chance(30)) {
      source = source.throttle(1, Duration.ofNanos(system.draw(1_000, 100_000)));
    }
    return end == End.SOURCE_FAILS
        ? source.take(last).concat(Source.failed(new IllegalStateException(PLANNED)))
        : source;
  }

  private Flow<ByteString, ByteString, NotUsed> sink() {
    Flow<ByteString, ByteString, NotUsed> sink = Flow.of(ByteString.class);
    if (system.chance(20)) {
      sink = sink.throttle(1, Duration.ofNanos(system.draw(1_000, 100_000)));
    }
    return switch (end) {
      case TAKE -> sink.take(last);
      case SINK_FAILS -> sink.zipWithIndex().map(this::failAtLast);
      default -> sink;
    };
  }

  private ByteString failAtLast(Pair<ByteString, Long> element) {
    if (element.second() == last) {
      throw new IllegalStateException(PLANNED);
    }
    return element.first();
  }

  boolean hasEnded() {
    return done.isDone() && segments.ends().stream().allMatch(CompletableFuture::isDone);
  }

  /** Checks the result when nothing happens any more. */
  void check() {
    check(done.isDone(), "has no end");
    for (CompletableFuture<StreamStatistics> one : segments.ends()) {
      check(one.isDone(), "has a flow without an end");
      check(
          one.isCompletedExceptionally() || one.join().elementsOut() <= one.join().elementsIn(),
          "has a flow with more elements out than in");
    }
    checkElements();
    Throwable failure = failure(done);
    if (failure == null) {
      checkComplete();
    } else {
      checkFailure(failure);
    }
    system.reached("graph " + end + (failure == null ? " completed" : " failed"));
  }

  /**
   * Elements keep their bytes, none is repeated, and those of an ordered graph keep their order.
   */
  private void checkElements() {
    Set<Integer> seen = new HashSet<>();
    int next = 0;
    int damaged = 0;
    for (ByteString one : received) {
      int index = one.size() < Integer.BYTES ? -1 : one.asByteBuffer().getInt();
      if (index < 0 || index >= elements.size() || !one.equals(elements.get(index))) {
        damaged++;
        continue;
      }
      check(seen.add(index), "repeats element " + index);
      check(!segments.isOrdered() || index >= next, "reorders element " + index);
      next = index + 1;
    }
    check(
        damaged <= system.faultCount("corrupted"),
        "has %d elements with other bytes".formatted(damaged));
    boolean isWhole = !segments.mayLose() && segments.isOrdered() && damaged == 0;
    check(!isWhole || next == received.size(), "misses elements before " + next);
  }

  private void checkComplete() {
    int passed = end == End.SOURCE_FAILS ? Math.min(last, elements.size()) : elements.size();
    check(end != End.SOURCE_FAILS || segments.mayCancel(), "completes after a failed source");
    check(end != End.SINK_FAILS || received.size() <= last, "completes after a failed sink");
    if (end == End.SHUTDOWN || segments.mayLose() || segments.mayCancel()) {
      return;
    }
    int expected = end == End.TAKE ? Math.min(last, passed) : passed;
    check(
        received.size() == expected,
        "completes with %d of %d elements".formatted(received.size(), expected));
    if (isCalm && end == End.COMPLETE) {
      segments.ends().forEach(this::checkStatistics);
    }
  }

  private void checkStatistics(CompletableFuture<StreamStatistics> flow) {
    Throwable failure = failure(flow);
    check(failure == null, "completes, and a flow fails: " + failure);
    StreamStatistics statistics = flow.join();
    check(
        statistics.elementsIn() == elements.size() && statistics.elementsOut() == elements.size(),
        "has %d elements, and a flow %s".formatted(elements.size(), statistics));
  }

  private void checkFailure(Throwable failure) {
    boolean isPlanned = PLANNED.equals(failure.getMessage());
    check(
        !isPlanned || end == End.SOURCE_FAILS || end == End.SINK_FAILS || end == End.ABORT,
        "fails as another graph");
    check(!isCalm || isPlanned, "fails: " + failure);
  }

  /** Returns the result for the trace. */
  private String result() {
    Throwable failure = failure(done);
    if (failure == null) {
      return "%d elements".formatted(received.size());
    }
    return failure instanceof DocaException doca
        ? doca.error().code().name()
        : failure.getClass().getSimpleName();
  }

  /** Returns the failure of a stage; null if it has none. */
  static @Nullable Throwable failure(CompletableFuture<?> stage) {
    try {
      stage.getNow(null);
      return null;
    } catch (CompletionException e) {
      return e.getCause() == null ? e : e.getCause();
    }
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("graph %d (%s, %s) %s".formatted(number, end, segments, otherwise));
    }
  }
}
