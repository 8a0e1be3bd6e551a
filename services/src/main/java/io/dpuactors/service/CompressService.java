package io.dpuactors.service;

import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.EngineProtocol;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * State that all connections of the compress service share. The service bounds its memory: each
 * connection gets buffers for a window of blocks while the limit has room. Thread: any.
 */
public final class CompressService {
  /** Bytes that the connections have reserved. */
  private final AtomicLong memoryBytes = new AtomicLong();

  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorRef<CompressProtocol.Command> compress;
  private final Optional<String> device;
  private final Limits limits;

  /**
   * Limits of the service.
   *
   * @param blockBytes largest content of a block
   * @param window largest number of a client's blocks in flight
   * @param memoryBytes largest registered memory of all connections together; without room for
   *     another client, the service refuses the client as busy
   * @param stallLimit time without data or messages after which a client loses its connection
   */
  public record Limits(int blockBytes, int window, long memoryBytes, Duration stallLimit) {
    /** Blocks of 1 MiB, 4 in flight, 512 MiB of memory, 30 s. */
    public static final Limits DEFAULT = new Limits(1 << 20, 4, 512L << 20, Duration.ofSeconds(30));

    /** Checks the ranges; throws IllegalArgumentException. */
    public Limits {
      boolean sound =
          blockBytes >= 1
              && GzipMember.maxPayloadBytes(blockBytes) <= Integer.MAX_VALUE
              && window >= 1
              && memoryBytes >= 1
              && !stallLimit.isNegative()
              && !stallLimit.isZero();
      if (!sound) {
        throw new IllegalArgumentException(
            "limits out of range: blocks of %d bytes, window %d, %d bytes of memory, stall limit %s"
                .formatted(blockBytes, window, memoryBytes, stallLimit));
      }
    }
  }

  private CompressService(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> compress,
      Optional<String> device,
      Limits limits) {
    this.engine = engine;
    this.compress = compress;
    this.device = device;
    this.limits = limits;
  }

  /**
   * Creates a service.
   *
   * @param engine of the server
   * @param compress a context of the same engine that deflates blocks of the limits' size
   * @param device PCI address of the server's and the context's device; empty: the device that the
   *     engine opened first
   */
  public static CompressService create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> compress,
      Optional<String> device,
      Limits limits) {
    return new CompressService(engine, compress, device, limits);
  }

  /** Returns the behavior for {@link Sessions#create}. */
  public ConnectionBehavior sessions() {
    return connection -> CompressSession.create(this, connection);
  }

  ActorRef<EngineProtocol.Command> engine() {
    return engine;
  }

  ActorRef<CompressProtocol.Command> compress() {
    return compress;
  }

  Optional<String> device() {
    return device;
  }

  Limits limits() {
    return limits;
  }

  /** Reserves memory. Returns false, and reserves nothing, when the limit has no room. */
  boolean reserve(long bytes) {
    if (memoryBytes.addAndGet(bytes) <= limits.memoryBytes()) {
      return true;
    }
    memoryBytes.addAndGet(-bytes);
    return false;
  }

  void releaseMemory(long bytes) {
    memoryBytes.addAndGet(-bytes);
  }
}
