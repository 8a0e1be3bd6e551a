package com.example.rdmawrite;

import static com.typesafe.config.ConfigFactory.load;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.Stop;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Writes a text into the memory of a Store that runs. */
public final class Writer {
  private Writer() {}

  /** Writes one text. */
  public static void main(String[] args) {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(Engine.create(), "writer", load(), Engine.props());
    try {
      System.out.println(send(engine, "hello, memory"));
    } finally {
      engine.tell(new Stop());
      engine.getWhenTerminated().toCompletableFuture().join();
    }
  }

  // tag::writer[]
  sealed interface Command {}

  private record FromStore(Event event) implements Command {}

  private record Imported(PoolReply reply) implements Command {}

  private record Written(Reply reply) implements Command {}

  static Behavior<Command> write(
      ActorRef<RdmaConnectionProtocol.Command> store,
      ActorRef<RdmaProtocol.Command> rdma,
      ActorRef<EngineProtocol.Command> engine,
      Buffer text,
      Consumer<Reply> done) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(FromStore.class, message -> on(context, message.event(), rdma, engine))
                .onMessage(
                    Imported.class,
                    message -> {
                      Buffer there = ((PoolOpened) message.reply()).pool().lease();
                      there.aim(0, text.length());
                      store.tell(
                          new Write(
                              text,
                              there,
                              OptionalInt.of(1), // the store receives Written
                              1,
                              context.messageAdapter(Reply.class, Written::new)));
                      return Behaviors.same();
                    })
                .onMessage(
                    Written.class,
                    message -> {
                      done.accept(message.reply());
                      message.reply().src().release();
                      message.reply().dst().release();
                      return Behaviors.stopped(); // also ends the connection
                    })
                .build());
  }

  private static Behavior<Command> on(
      ActorContext<Command> context,
      Event event,
      ActorRef<RdmaProtocol.Command> rdma,
      ActorRef<EngineProtocol.Command> engine) {
    if (event instanceof Message message) { // the description of the store's memory
      engine.tell(
          new ImportRemoteMemory(
              Optional.empty(),
              RemoteMemory.of(message.bytes()),
              1,
              rdma, // the import ends with the context
              context.messageAdapter(PoolReply.class, Imported::new)));
    }
    return Behaviors.same();
  }
  // end::writer[]

  /** Connects to the store, and writes a text. Returns the answer, or why nothing was written. */
  static Object send(ActorSystem<EngineProtocol.Command> engine, String text) {
    RdmaProtocol.OpenReply opened =
        Ask.of(engine, engine, me -> new OpenRdma("rdma", RdmaOptions.defaults(), me));
    if (!(opened instanceof RdmaProtocol.Opened context)) {
      return opened;
    }
    PoolReply pool = Ask.of(engine, engine, me -> new OpenPool(PoolOptions.of(1, 64), me));
    Buffer buffer = ((PoolOpened) pool).pool().lease();
    byte[] bytes = text.getBytes(UTF_8);
    buffer.bytes().clear().put(bytes);
    buffer.length(bytes.length);
    CompletableFuture<Object> result = new CompletableFuture<>();
    PeerBehavior behavior =
        PeerBehavior.of(
            FromStore::new,
            store -> write(store, context.context(), engine, buffer, result::complete));
    RdmaClientOptions store =
        RdmaClientOptions.of("127.0.0.1", Store.PORT).withBehavior(behavior);
    RdmaConnectionProtocol.OpenReply connected =
        Ask.of(engine, context.context(), me -> new OpenRdmaClient("client", store, me));
    if (!(connected instanceof RdmaConnectionProtocol.Opened)) {
      buffer.release();
      return connected;
    }
    return result.orTimeout(10, TimeUnit.SECONDS).join();
  }
}
