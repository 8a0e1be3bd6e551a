package io.dpuactors.service;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.gzip.GzipMember;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The compress service: what all of its connections share. Its memory is bounded, whatever clients
 * ask for: each connection gets buffers for a window of blocks, as long as there is some left.
 * Thread: any.
 */
public final class CompressService {
  /** What connections have reserved. */
  private final AtomicLong memoryBytes = new AtomicLong();

  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorRef<CompressProtocol.Command> compress;
  private final Optional<String> device;
  private final Limits limits;

  /**
   * What clients can get at most.
   *
   * @param blockBytes content of a block
   * @param window blocks of a client on their way at once
   * @param memoryBytes registered memory of all connections together; those that come when it is
   *     used up are told that the server is busy
   * @param patience how long a client may be silent
   */
  public record Limits(int blockBytes, int window, long memoryBytes, Duration patience) {
    /** Blocks of a mebibyte, 4 of them at once, half a gibibyte of memory, half a minute. */
    public static final Limits DEFAULT = new Limits(1 << 20, 4, 512L << 20, Duration.ofSeconds(30));

    /** Checks the ranges. */
    public Limits {
      boolean sound =
          blockBytes >= 1
              && GzipMember.maxPayloadBytes(blockBytes) <= Integer.MAX_VALUE
              && window >= 1
              && memoryBytes >= 1
              && !patience.isNegative()
              && !patience.isZero();
      if (!sound) {
        throw new IllegalArgumentException(
            "blocks of %d bytes, a window of %d, %d bytes of memory, %s of patience"
                .formatted(blockBytes, window, memoryBytes, patience));
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
   * A service.
   *
   * @param engine of the server
   * @param compress a context of the same engine that deflates blocks of the limits' size
   * @param device PCI address of the server's and the context's device; empty: the one that the
   *     engine opened first
   */
  public static CompressService create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> compress,
      Optional<String> device,
      Limits limits) {
    return new CompressService(engine, compress, device, limits);
  }

  /** What to make {@link Sessions} of. */
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

  /** Whether so much memory is left; then it is taken. */
  boolean reserve(long bytes) {
    if (memoryBytes.addAndGet(bytes) <= limits.memoryBytes()) {
      return true;
    }
    memoryBytes.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    memoryBytes.addAndGet(-bytes);
  }
}
