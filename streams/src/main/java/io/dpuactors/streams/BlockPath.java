package io.dpuactors.streams;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.util.ByteString;

/**
 * One end of the fast path of a connection, as a stream: what a producer and a consumer have in
 * common. An end owns a pool of blocks and a child of the connection.
 *
 * <p>A block with one byte of immediate data is not an element. {@link #END} completes the stream,
 * and {@link #FAIL} fails it with the text in the block. Thread: any.
 */
final class BlockPath {
  /** Immediate data: the producer has sent all blocks. */
  static final byte END = 4;

  /** Immediate data: the stream of the producer has failed. The block contains the reason. */
  static final byte FAIL = 6;

  /**
   * A block waits while the peer posts no buffer, and the end of the connection answers it. An ask
   * needs a limit nevertheless, and Pekko's scheduler permits 24 days at ticks of 1 ms.
   */
  static final Duration UNLIMITED = Duration.ofDays(20);

  /** Limit for a stop; the deadlines of the configuration are shorter. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  final ActorRef<ConnectionProtocol.Command> connection;
  private final ActorSystem<?> system;
  private final StreamPool memory;
  private final PoolOptions options;
  private final Map<Long, CompletableFuture<?>> requests = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  BlockPath(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection,
      PoolOptions options) {
    this.system = system;
    this.memory = new StreamPool(system, engine);
    this.connection = connection;
    this.options = options;
  }

  /**
   * Opens the pool, then the tasks. The pool closes after the tasks, also if they do not open.
   *
   * @param spare number of buffers besides those in flight
   */
  CompletionStage<Tasks<ByteString, ByteString>> open(
      int spare,
      Set<Permission> permissions,
      Function<BufferPool, CompletionStage<Tasks<ByteString, ByteString>>> tasks) {
    return Tasks.using(
        this.<ConnectionInfo>ask(GetInfo::new)
            .thenCompose(info -> memory.open(pool(info, spare).withPermissions(permissions))),
        tasks,
        memory::close);
  }

  private PoolOptions pool(ConnectionInfo info, int spare) {
    if (info.device().isEmpty()) {
      throw Failures.exception("open", DocaCode.NOT_CONNECTED, "the connection has ended");
    }
    return PoolOptions.of(window() + spare, blockBytes())
        .onDevice(info.device())
        .withMemory(options.memory());
  }

  /** Returns the number of blocks in flight. */
  int window() {
    return options.count();
  }

  int blockBytes() {
    return options.bufferBytes();
  }

  /** Returns the time within which the other end must be there. */
  Duration openLimit() {
    return StreamLimits.openDeadline(system);
  }

  <R> CompletionStage<R> ask(Function<ActorRef<R>, ConnectionProtocol.Command> request) {
    // The connection answers within the limit; the ask waits a little longer.
    return AskPattern.ask(
        connection, request::apply, openLimit().multipliedBy(2), system.scheduler());
  }

  /**
   * Sends a request with a buffer.
   *
   * @param handle handles the answer, and releases the buffer
   */
  <C, R extends BufferReply, T> CompletionStage<T> request(
      ActorRef<C> context, Function<ActorRef<R>, C> request, Function<R, T> handle) {
    CompletionStage<T> result =
        AskPattern.<C, R>ask(context, request::apply, UNLIMITED, system.scheduler())
            .thenApplyAsync(handle, system.executionContext()); // TaskSender has the reason
    long number = numbers.incrementAndGet();
    requests.put(number, result.toCompletableFuture());
    result.whenComplete((value, failure) -> requests.remove(number));
    return result;
  }

  /** Completes with the stage, and at the drain deadline of a producer at the latest. */
  CompletionStage<Done> withinDrainLimit(CompletionStage<Done> last) {
    CompletionStage<Done> late =
        Patterns.after(
            system.settings().config().getDuration("dpu.comch.producer.drain-deadline"),
            system,
            () -> CompletableFuture.completedStage(Done.getInstance()));
    return last.applyToEither(late, done -> done);
  }

  /** Stops the producer or consumer, and waits until the answers of all requests are handled. */
  CompletionStage<Done> stop(ActorRef<?> context) {
    return AskPattern.<Object, Stopped>ask(
            context.unsafeUpcast(), Stop::new, STOP_LIMIT, system.scheduler())
        .thenCompose(
            stopped -> CompletableFuture.allOf(requests.values().toArray(CompletableFuture[]::new)))
        .handle((unused, failure) -> Done.getInstance()); // each request reports its failure
  }
}
