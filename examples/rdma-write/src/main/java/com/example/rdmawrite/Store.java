package com.example.rdmawrite;

import static com.typesafe.config.ConfigFactory.load;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Lets clients write into its memory, until it is stopped. */
public final class Store {
  static final int PORT = 4791;

  private static final Set<Permission> SHARED =
      Set.of(Permission.LOCAL_READ_WRITE, Permission.RDMA_WRITE);

  private Store() {}

  /** Runs the store until the program is stopped. */
  public static void main(String[] args) {
    start();
  }

  // tag::store[]
  sealed interface Command {}

  private record FromClient(Event event) implements Command {}

  private record Sent(Reply reply) implements Command {}

  /** One such actor per connection: describes the memory to its client, and awaits writes. */
  static Behavior<Command> serve(
      ActorRef<RdmaConnectionProtocol.Command> client, Buffer description, BufferPool memory) {
    return Behaviors.setup(
        context -> {
          client.tell(new Send(description, 1, context.messageAdapter(Reply.class, Sent::new)));
          return Behaviors.receive(Command.class)
              .onMessage(
                  Sent.class,
                  sent -> {
                    description.release();
                    return Behaviors.same();
                  })
              .onMessage(FromClient.class, message -> on(message.event(), memory))
              .build();
        });
  }

  private static Behavior<Command> on(Event event, BufferPool memory) {
    if (event instanceof Written written) { // the data is in the memory
      byte[] data = new byte[(int) written.length()];
      Buffer window = memory.lease();
      window.bytes().get(0, data);
      window.release();
      System.out.println(new String(data, UTF_8));
    }
    return Behaviors.same();
  }
  // end::store[]

  static ActorSystem<EngineProtocol.Command> start() {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(Engine.create(), "store", load(), Engine.props());
    BufferPool memory = pool(engine, PoolOptions.of(1, 4096).withPermissions(SHARED));
    BufferPool messages = pool(engine, PoolOptions.of(8, 512));
    ShareReply shared = Ask.of(engine, engine, me -> new SharePool(memory, me));
    byte[] description = ((Shared) shared).memory().bytes();
    RdmaOptions options = RdmaOptions.defaults().withPermissions(Permission.RDMA_WRITE);
    RdmaProtocol.OpenReply context =
        Ask.of(engine, engine, me -> new OpenRdma("rdma", options, me));
    PeerBehavior behavior =
        PeerBehavior.of(
            FromClient::new, client -> serve(client, filled(messages, description), memory));
    RdmaListenerProtocol.OpenReply listener =
        Ask.of(
            engine,
            ((RdmaProtocol.Opened) context).context(),
            me -> new OpenRdmaListener("listener", PORT, behavior, me));
    System.out.println(listener); // Opened, or OpenFailed and why
    return engine;
  }

  private static BufferPool pool(
      ActorSystem<EngineProtocol.Command> engine, PoolOptions options) {
    PoolReply reply = Ask.of(engine, engine, me -> new OpenPool(options, me));
    return ((PoolOpened) reply).pool();
  }

  private static Buffer filled(BufferPool pool, byte[] content) {
    Buffer buffer = pool.lease();
    if (buffer == null) { // 8 clients connect at once: this connection closes
      throw new IllegalStateException("no buffer for the description");
    }
    buffer.bytes().clear().put(content);
    buffer.length(content.length);
    return buffer;
  }
}
