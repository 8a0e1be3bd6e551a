package io.dpuactors.bridge;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for the tasks of one context: pairs of a source and a destination in memory of the
 * context's device. The context of an engine group has such memory on each of its engines. A lease
 * then selects the engine with the fewest leased pairs, and the task runs on that engine.
 *
 * <p>The engine creates these objects. Thread: any.
 */
public final class TaskBuffers {
  /**
   * A source and a destination of the same engine.
   *
   * @param src the source; leased by the caller
   * @param dst the destination; leased by the caller
   */
  public record Pair(Buffer src, Buffer dst) {
    /** Releases both buffers. */
    public void release() {
      src.release();
      dst.release();
    }
  }

  /**
   * The memory on one engine.
   *
   * @param sources one buffer per pair
   * @param destinations one buffer per pair
   */
  public record Part(BufferPool sources, BufferPool destinations) {
    /** Returns whether the memory lends buffers. */
    public boolean lends() {
      return sources.lends() && destinations.lends();
    }

    private int available() {
      return Math.min(sources.available(), destinations.available());
    }

    private @Nullable Pair lease() {
      Buffer src = sources.lease();
      if (src == null) {
        return null;
      }
      Buffer dst = destinations.lease();
      if (dst == null) {
        src.release();
        return null;
      }
      return new Pair(src, dst);
    }

    /** Refuses leases from now on. Idempotent. */
    public void stopLending() {
      sources.stopLending();
      destinations.stopLending();
    }
  }

  private final List<Part> parts;
  private final LeaseWaiters<Pair> waiters;

  private TaskBuffers(List<Part> parts, int maxWaiting) {
    this.parts = List.copyOf(parts);
    this.waiters = new LeaseWaiters<>(toString(), maxWaiting, Pair::release);
    parts.forEach(part -> observe(part));
  }

  private void observe(Part part) {
    part.sources().observe(this::onChange);
    part.destinations().observe(this::onChange);
  }

  /**
   * Combines memory. Programs do not call this method.
   *
   * @param parts one per engine; they belong to no other object from now on
   * @param maxWaiting largest number of callers that wait in {@link #leaseWithin}
   */
  public static TaskBuffers of(List<Part> parts, int maxWaiting) {
    return new TaskBuffers(parts, maxWaiting);
  }

  /** Returns the memory, one part per engine. */
  public List<Part> parts() {
    return parts;
  }

  /**
   * Leases a pair on the engine with the fewest leased pairs.
   *
   * @return null when all pairs are leased, or no engine lends any more
   */
  public @Nullable Pair lease() {
    return ordered().map(Part::lease).filter(pair -> pair != null).findFirst().orElse(null);
  }

  private Stream<Part> ordered() {
    Stream<Part> lending = parts.stream().filter(Part::lends);
    return parts.size() == 1
        ? lending
        : lending.sorted(Comparator.comparingInt(Part::available).reversed());
  }

  /**
   * Leases a pair as soon as one is free, on the engine with the fewest leased pairs. Callers wait
   * in order of arrival. The thread of the result is that of {@link LeaseScope#leaseWithin}.
   *
   * @param limit longest time to wait
   * @return fails with a {@link DocaException}: TIME_OUT, FULL for too many callers, or SHUTDOWN
   *     when no engine lends any more
   */
  public CompletionStage<Pair> leaseWithin(Duration limit) {
    CompletionStage<Pair> lease = waiters.await(this::lease, limit);
    onChange();
    return lease;
  }

  private void onChange() {
    if (parts.stream().anyMatch(Part::lends)) {
      waiters.serve();
    } else {
      waiters.fail();
    }
  }

  /** Returns the number of pairs of all engines that lend. */
  public int capacity() {
    return parts.stream().filter(Part::lends).mapToInt(part -> part.sources().capacity()).sum();
  }

  /** Returns the approximate number of pairs not leased. */
  public int available() {
    return parts.stream().filter(Part::lends).mapToInt(Part::available).sum();
  }

  @Override
  public String toString() {
    Part first = parts.get(0);
    return "buffers for tasks on %d engines, each %s and %s"
        .formatted(parts.size(), first.sources(), first.destinations());
  }
}
