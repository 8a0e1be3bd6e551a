package com.example.hello;

import static com.typesafe.config.ConfigFactory.load;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.engine.DpuActors;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
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
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Deflates one buffer. */
public final class HelloCompress {
  private HelloCompress() {}

  // tag::hello[]
  public static void main(String[] args) {
    ActorSystem<EngineProtocol.Command> engine = // the engine is this program's top actor
        ActorSystem.create(Engine.create(), "hello", load(), Engine.props());
    ActorRef<CompressProtocol.Command> compress = // supervised by the engine
        DpuActors.get(engine)
            .open(engine, OpenCompress::new, "compress", TaskOptions.defaults())
            .toCompletableFuture()
            .join();
    PoolReply memory = ask(engine, me -> new OpenPool(PoolOptions.of(2, 4096), me), engine);
    BufferPool pool = ((PoolOpened) memory).pool();
    Buffer src = requireNonNull(pool.lease());
    Buffer dst = requireNonNull(pool.lease());
    src.bytes().put("hello, DPU! ".repeat(100).getBytes(UTF_8));
    src.length(src.bytes().position());
    TaskReply reply = ask(compress, me -> new Deflate(src, dst, me), engine);
    System.out.printf("%d -> %d bytes: %s%n", src.length(), dst.length(), reply);
    src.release();
    dst.release();
    Stopped stopped = ask(engine, Stop::new, engine);
    System.out.println("stopped, census: " + stopped.census());
  }

  // end::hello[]

  // tag::ask[]
  static <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message, ActorSystem<?> system) {
    return AskPattern.ask(actor, message, Duration.ofSeconds(10), system.scheduler())
        .toCompletableFuture()
        .join();
  }
  // end::ask[]
}
