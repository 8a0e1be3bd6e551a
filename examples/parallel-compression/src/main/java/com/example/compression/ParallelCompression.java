package com.example.compression;

import static com.typesafe.config.ConfigFactory.load;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Deflates many blocks; the device works on as many as the context's window allows. */
public final class ParallelCompression {
  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 64 * 1024;

  private final ActorSystem<EngineProtocol.Command> engine;
  private final ActorRef<CompressProtocol.Command> compress;
  private final BufferPool pool;

  private ParallelCompression(ActorSystem<EngineProtocol.Command> engine) {
    this.engine = engine;
    TaskOptions options = TaskOptions.defaults().withWindow(16).withQueue(BLOCKS);
    CompletableFuture<CompressProtocol.OpenReply> opened =
        ask(engine, me -> new OpenCompress("compress", options, me));
    compress = ((CompressProtocol.Opened) opened.join()).context();
    CompletableFuture<PoolReply> memory =
        ask(engine, me -> new OpenPool(PoolOptions.of(2 * BLOCKS, BLOCK_BYTES), me));
    pool = ((PoolOpened) memory.join()).pool();
  }

  /** Deflates all blocks and prints the number of bytes. */
  public static void main(String[] args) {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(Engine.create(), "blocks", load(), Engine.props());
    ParallelCompression program = new ParallelCompression(engine);
    program.run();
    CompletableFuture<Stopped> stopped = program.ask(engine, Stop::new);
    System.out.println("stopped, census: " + stopped.join().census());
  }

  private void run() {
    List<CompletableFuture<TaskReply>> replies =
        IntStream.range(0, BLOCKS).mapToObj(this::deflate).toList(); // all requests are sent
    long bytes = 0;
    for (CompletableFuture<TaskReply> reply : replies) {
      if (!(reply.join() instanceof Completed done)) {
        throw new IllegalStateException("not deflated: " + reply.join());
      }
      bytes += done.dst().length();
      done.src().release();
      done.dst().release();
    }
    System.out.printf("%d blocks, %d -> %d bytes%n", BLOCKS, BLOCKS * BLOCK_BYTES, bytes);
  }

  private CompletableFuture<TaskReply> deflate(int block) {
    Buffer src = requireNonNull(pool.lease());
    Buffer dst = requireNonNull(pool.lease());
    byte[] line = "this is block %d%n".formatted(block).getBytes(UTF_8);
    while (src.bytes().remaining() >= line.length) {
      src.bytes().put(line);
    }
    src.length(BLOCK_BYTES);
    return ask(compress, me -> new Deflate(src, dst, me));
  }

  private <C, R> CompletableFuture<R> ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    return AskPattern.ask(actor, message, Duration.ofSeconds(10), engine.scheduler())
        .toCompletableFuture();
  }
}
