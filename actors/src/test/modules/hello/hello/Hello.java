package hello;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
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

/** Deflates one buffer, stops, and prints its module, the reply's type and the census. */
public final class Hello {
  private Hello() {}

  public static void main(String[] args) {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(
            Engine.create(),
            "hello",
            com.typesafe.config.ConfigFactory.load(),
            Engine.props());
    CompressProtocol.OpenReply opened =
        ask(engine, me -> new OpenCompress("compress", TaskOptions.defaults(), me), engine);
    ActorRef<CompressProtocol.Command> compress =
        ((CompressProtocol.Opened) opened).context();
    PoolReply memory = ask(engine, me -> new OpenPool(PoolOptions.of(2, 4096), me), engine);
    BufferPool pool = ((PoolOpened) memory).pool();
    Buffer src = pool.lease();
    Buffer dst = pool.lease();
    src.length(1000);
    TaskReply reply =
        ask(compress, me -> new CompressProtocol.Deflate(src, dst, me), engine);
    boolean isShorter = dst.length() > 0 && dst.length() < src.length();
    src.release();
    dst.release();
    Stopped stopped = ask(engine, Stop::new, engine);
    System.out.printf(
        "%s %s %s %s%n",
        Engine.class.getModule().getName(),
        reply.getClass().getSimpleName(),
        isShorter,
        stopped.census());
  }

  private static <C, R> R ask(
      ActorRef<C> actor, Function<ActorRef<R>, C> message, ActorSystem<?> system) {
    return AskPattern.ask(actor, message, Duration.ofSeconds(20), system.scheduler())
        .toCompletableFuture()
        .join();
  }
}
