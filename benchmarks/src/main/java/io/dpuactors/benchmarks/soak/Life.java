package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.comch.ClientOptions;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ServerOptions;
import io.dpuactors.protocol.comch.ServerProtocol;
import io.dpuactors.service.Pong;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Two engines from their start to their end: one with compress, DMA and a server, one with a
 * client.
 */
record Life(
    List<ActorRef<EngineProtocol.Command>> engines,
    ActorRef<CompressProtocol.Command> compress,
    ActorRef<DmaProtocol.Command> dma,
    ActorRef<ServerProtocol.Command> server,
    ActorRef<ConnectionProtocol.Command> client,
    BufferPool pool) {
  private static final int BUFFERS = 256;

  /** Source, or the compressed form of random bytes. */
  static final int BUFFER_BYTES = 64 << 10;

  /**
   * Opens everything.
   *
   * @param service name of the server
   * @param window tasks in flight of each context
   * @throws IllegalStateException when something cannot be opened
   */
  static Life open(
      SoakSystem system,
      List<ActorRef<EngineProtocol.Command>> engines,
      String service,
      int window) {
    ActorRef<EngineProtocol.Command> one = engines.get(0);
    CompressOptions compress = CompressOptions.defaults().withWindow(window);
    DmaOptions dma = DmaOptions.defaults().withWindow(window);
    ServerOptions server = ServerOptions.of(service, Pong::serve);
    ClientOptions client =
        ClientOptions.of(service)
            .withBehavior(
                connection ->
                    Behaviors.receive(ConnectionEvent.class)
                        .onAnyMessage(event -> Behaviors.same())
                        .build());
    return new Life(
        engines,
        opened(
            system.<EngineProtocol.Command, OpenReply<CompressProtocol.Command>>ask(
                one, me -> new OpenCompress("compress", compress, me))),
        opened(
            system.<EngineProtocol.Command, OpenReply<DmaProtocol.Command>>ask(
                one, me -> new OpenDma("dma", dma, me))),
        opened(
            system.<EngineProtocol.Command, OpenReply<ServerProtocol.Command>>ask(
                one, me -> new OpenComchServer("server", server, me))),
        opened(
            system.<EngineProtocol.Command, OpenReply<ConnectionProtocol.Command>>ask(
                engines.get(1), me -> new OpenComchClient("client", client, me))),
        pool(system.ask(one, me -> new OpenPool(Optional.empty(), BUFFERS, BUFFER_BYTES, me))));
  }

  private static <C> ActorRef<C> opened(OpenReply<C> reply) {
    if (reply instanceof Opened<C> opened) {
      return opened.context();
    }
    throw new IllegalStateException(reply.toString());
  }

  private static BufferPool pool(PoolReply reply) {
    if (reply instanceof PoolOpened opened) {
      return opened.pool();
    }
    throw new IllegalStateException(reply.toString());
  }
}
