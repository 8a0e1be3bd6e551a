package consumer;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.engine.Engine;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.Inflate;
import io.dpuactors.streams.StreamOptions;
import io.dpuactors.testkit.ScriptedContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Uses every library: a stream on an engine, the same context without an engine, and the gzip
 * format. Prints the modules, the results and the census.
 */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] args) {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(
            Engine.create(), "consumer", ConfigFactory.load(), Engine.props());
    CompressProtocol.OpenReply opened =
        ask(engine, me -> new OpenCompress("compress", TaskOptions.defaults(), me), engine);
    boolean isSame = survivesStream(engine, ((CompressProtocol.Opened) opened).context());
    Stopped stopped = ask(engine, Stop::new, engine);
    System.out.printf(
        "%s %s %s %s%n",
        modules(), isSame, runsWithoutEngine() && GzipMember.HEADER_BYTES > 0, stopped.census());
  }

  private static boolean survivesStream(
      ActorSystem<EngineProtocol.Command> engine, ActorRef<CompressProtocol.Command> context) {
    ByteString text = ByteString.fromString("hello, consumer! ".repeat(100));
    StreamOptions options = StreamOptions.of(4096);
    return Source.single(text)
        .via(Deflate.flow(engine, context, options))
        .via(Inflate.flow(engine, context, options))
        .runWith(Sink.head(), engine)
        .toCompletableFuture()
        .join()
        .equals(text);
  }

  private static boolean runsWithoutEngine() {
    ActorTestKit kit = ActorTestKit.create();
    ActorRef<CompressProtocol.Command> scripted = ScriptedContext.compress(kit).ref();
    Stopped stopped = ask(scripted, Stop::new, kit.system());
    kit.shutdownTestKit();
    return stopped.clean();
  }

  private static String modules() {
    List<Class<?>> types =
        List.of(Engine.class, Deflate.class, GzipMember.class, ScriptedContext.class);
    return types.stream()
        .map(type -> Objects.toString(type.getModule().getName()))
        .collect(Collectors.joining(","));
  }

  private static <C, R> R ask(
      ActorRef<C> actor, Function<ActorRef<R>, C> message, ActorSystem<?> system) {
    return AskPattern.ask(actor, message, Duration.ofSeconds(20), system.scheduler())
        .toCompletableFuture()
        .join();
  }
}
