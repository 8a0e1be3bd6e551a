package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.RunningSystem;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The connections of the two libraries, for tests that run with both. */
enum Transport {
  COMCH(4079) {
    @Override
    Ends open(RunningSystem system, int credit) {
      ConnectionOptions options = ConnectionOptions.defaults().withCredit(credit);
      return new Ends(
          anyOf(Comch.bind(system.engine, ServerOptions.of(SERVICE).withConnections(options))),
          Comch.outgoingConnection(
              system.engine, ClientOptions.of(SERVICE).withConnection(options)),
          Comch.outgoingConnection(system.engine, ClientOptions.of("nobody")),
          events -> {
            ConnectionProtocol.OpenReply opened =
                ComchPair.openClient(
                    system,
                    system.engine,
                    "plain",
                    ClientOptions.of(SERVICE).withBehavior(connection -> forward(events)));
            return ((ConnectionProtocol.Opened) opened).context();
          });
    }

    @Override
    void sendNoStream(RunningSystem system, ActorRef<?> connection) {
      connection.<Object>unsafeUpcast().tell(ConnectionProtocol.Send.orFail("ping"));
    }
  },

  RDMA(4095) {
    @Override
    Ends open(RunningSystem system, int credit) {
      ActorRef<RdmaProtocol.Command> here = context(system, "here", "03:00.0");
      ActorRef<RdmaProtocol.Command> there = context(system, "there", "81:00.0");
      PoolOptions messages = PoolOptions.of(credit, 4096);
      RdmaClientOptions service = RdmaClientOptions.of("127.0.0.1", PORT);
      return new Ends(
          anyOf(Rdma.bind(system.engine, here, PORT, messages.onDevice("03:00.0"))),
          Rdma.outgoingConnection(system.engine, there, service, messages.onDevice("81:00.0")),
          Rdma.outgoingConnection(
              system.engine, there, RdmaClientOptions.of("127.0.0.1", PORT + 1), messages),
          events -> {
            TestProbe<RdmaConnectionProtocol.OpenReply> opened = system.kit.createTestProbe();
            there.tell(
                new OpenRdmaClient(
                    "plain", service.withBehavior(connection -> forward(events)), opened.getRef()));
            return ((RdmaConnectionProtocol.Opened) opened.receiveMessage()).context();
          });
    }

    @Override
    void sendNoStream(RunningSystem system, ActorRef<?> connection) {
      connection
          .<Object>unsafeUpcast()
          .tell(
              new RdmaConnectionProtocol.Send(
                  null,
                  OptionalInt.of(1),
                  0,
                  system.kit.<RdmaConnectionProtocol.Reply>createTestProbe().getRef()));
    }
  };

  private static final String SERVICE = "streams";
  static final int PORT = 4791;

  /** Largest element in bytes. */
  final int maxElementBytes;

  Transport(int maxElementBytes) {
    this.maxElementBytes = maxElementBytes;
  }

  /**
   * Both ends of a connection.
   *
   * @param bind the service
   * @param client connects to the service
   * @param missing connects to a service that does not exist
   * @param plain connects a client without a stream, and passes its events on
   */
  record Ends(
      Source<IncomingConnection<?>, CompletionStage<ServerBinding<?>>> bind,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> client,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> missing,
      Function<ActorRef<Object>, ActorRef<?>> plain) {}

  /**
   * Returns streams of a service.
   *
   * @param credit elements that each end may send ahead of the downstream of the other
   */
  abstract Ends open(RunningSystem system, int credit);

  /** Sends a message that is none of a stream. */
  abstract void sendNoStream(RunningSystem system, ActorRef<?> connection);

  /** Waits for the event that the connection has closed. */
  static void expectClosed(TestProbe<Object> events) {
    Object event = events.receiveMessage();
    assertThat(event)
        .isInstanceOfAny(ConnectionEvent.Closed.class, RdmaConnectionProtocol.Closed.class);
  }

  private static <C, S> Source<IncomingConnection<?>, CompletionStage<ServerBinding<?>>> anyOf(
      Source<IncomingConnection<C>, CompletionStage<ServerBinding<S>>> source) {
    return source
        .<IncomingConnection<?>>map(one -> one)
        .mapMaterializedValue(stage -> Failures.plain(stage.thenApply(Function.identity())));
  }

  private static <E> Behavior<E> forward(ActorRef<Object> events) {
    return Behaviors.receiveMessage(
        event -> {
          events.tell(event);
          return Behaviors.same();
        });
  }

  static ActorRef<RdmaProtocol.Command> context(RunningSystem system, String name, String device) {
    TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenRdma(name, RdmaOptions.defaults().onDevice(device), probe.getRef()));
    RdmaProtocol.OpenReply reply = probe.receiveMessage();
    assertThat(reply).isInstanceOf(RdmaProtocol.Opened.class);
    return ((RdmaProtocol.Opened) reply).context();
  }
}
