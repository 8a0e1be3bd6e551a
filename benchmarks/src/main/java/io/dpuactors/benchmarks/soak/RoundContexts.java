package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.service.Pong;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a round on two engines: compress, DMA and a server on one, a client on the other.
 * A context that has ended can be opened again.
 */
final class RoundContexts {
  /** Size of a source, and of the compressed form of random bytes. */
  static final int BUFFER_BYTES = 64 << 10;

  private static final int BUFFERS = 256;

  private final SoakSystem system;
  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final AtomicInteger reopened = new AtomicInteger();
  private volatile boolean isEnding;
  private final BufferPool pool;
  private final Context<CompressProtocol.Command> compress;
  private final Context<DmaProtocol.Command> dma;
  private final Context<ServerProtocol.Command> server;
  private final Context<ConnectionProtocol.Command> client;

  /**
   * One context. {@link #require} is for one thread at a time, the other methods are for any
   * thread.
   */
  final class Context<C> {
    private final Supplier<? extends ContextReply<C>> open;
    private volatile @Nullable ActorRef<C> current;

    private Context(Supplier<? extends ContextReply<C>> open) {
      this.open = open;
    }

    /** Returns the context; null after its end. */
    @Nullable ActorRef<C> current() {
      return current;
    }

    /** Returns the context, opened again after its end; null if it cannot be opened now. */
    @Nullable ActorRef<C> require() {
      if (current == null && !isEnding && open() instanceof Opened<C>) {
        reopened.incrementAndGet();
      }
      return current;
    }

    private ContextReply<C> open() {
      ContextReply<C> reply = open.get();
      if (reply instanceof Opened<C> opened) {
        current = opened.context();
        system.watch(opened.context(), () -> current = null);
      }
      return reply;
    }
  }

  /**
   * Opens everything.
   *
   * @param service name of the server
   * @param window tasks in flight of each context
   * @throws IllegalStateException when something cannot be opened
   */
  RoundContexts(
      SoakSystem system,
      List<ActorRef<EngineProtocol.Command>> engines,
      String service,
      int window) {
    this.system = system;
    this.engines = engines;
    TaskOptions compressed = TaskOptions.defaults().withWindow(window);
    TaskOptions copied = TaskOptions.defaults().withWindow(window);
    ServerOptions served = ServerOptions.of(service, Pong::serve);
    ClientOptions connected =
        ClientOptions.of(service)
            .withBehavior(
                connection ->
                    Behaviors.receive(ConnectionEvent.class)
                        .onAnyMessage(event -> Behaviors.same())
                        .build());
    pool =
        Asking.opened(
            system.<EngineProtocol.Command, PoolReply>ask(
                engines.get(0), me -> new OpenPool(PoolOptions.of(BUFFERS, BUFFER_BYTES), me)));
    compress =
        new Context<>(
            this.<CompressProtocol.OpenReply>asking(
                0, me -> new OpenCompress("compress", compressed, me)));
    dma =
        new Context<>(this.<DmaProtocol.OpenReply>asking(0, me -> new OpenDma("dma", copied, me)));
    server =
        new Context<>(
            this.<ServerProtocol.OpenReply>asking(
                0, me -> new OpenComchServer("server", served, me)));
    client =
        new Context<>(
            this.<ConnectionProtocol.OpenReply>asking(
                1, me -> new OpenComchClient("client", connected, me)));
    all().forEach(context -> Asking.opened(context.open()));
  }

  private <R> Supplier<R> asking(
      int engine, Function<ActorRef<R>, EngineProtocol.Command> command) {
    return () -> system.ask(engines.get(engine), command);
  }

  private List<Context<?>> all() {
    return List.of(compress, dma, server, client);
  }

  List<ActorRef<EngineProtocol.Command>> engines() {
    return engines;
  }

  BufferPool pool() {
    return pool;
  }

  Context<CompressProtocol.Command> compress() {
    return compress;
  }

  Context<DmaProtocol.Command> dma() {
    return dma;
  }

  Context<ServerProtocol.Command> server() {
    return server;
  }

  Context<ConnectionProtocol.Command> client() {
    return client;
  }

  /** Opens no context again from now on: the round ends. */
  void keepClosed() {
    isEnding = true;
  }

  /** Returns how many contexts were opened again. */
  int reopened() {
    return reopened.get();
  }

  /** Kills the context with this number, from 0 to 3, if it has not ended. */
  void kill(int number) {
    ActorRef<?> context = all().get(number).current();
    if (context != null) {
      system.kill(context);
    }
  }

  /** Stops the context with this number, from 0 to 3, if it has not ended. */
  void stop(int number) {
    ActorRef<?> context = all().get(number).current();
    if (context != null) {
      context.<Object>unsafeUpcast().tell(new Stop());
    }
  }
}
