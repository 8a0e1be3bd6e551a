package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.RunningSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** A server and a client of this server. */
record BehaviorRig(
    RunningSystem system,
    ActorRef<EngineProtocol.Command> engine,
    ActorRef<ConnectionProtocol.Command> client)
    implements AutoCloseable {
  static BehaviorRig of(ConnectionBehavior behavior, ConnectionOptions options, String settings) {
    RunningSystem system = RunningSystem.create(settings);
    ComchPair.server(system, ServerOptions.of("test-behavior", behavior).withConnections(options));
    ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
    return new BehaviorRig(
        system,
        two,
        ComchPair.client(
            system,
            two,
            "client",
            ClientOptions.of("test-behavior")
                .withConnection(ConnectionOptions.defaults().withReceiveQueue(3000))));
  }

  void send(String text) {
    client.tell(Send.orFail(text));
  }

  /** Returns the next message as text, or the name of the code that ended the connection. */
  String receive() {
    return received(receiving());
  }

  /** Requests a message; the client has the request before later events. */
  TestProbe<ReceiveReply> receiving() {
    TestProbe<ReceiveReply> probe = system.kit.createTestProbe();
    client.tell(new ReceiveMessage(ServerRig.SOON, probe.getRef()));
    return probe;
  }

  static String received(TestProbe<ReceiveReply> probe) {
    ReceiveReply reply = probe.receiveMessage();
    return reply instanceof Received received
        ? received.message().text()
        : ((ReceiveFailed) reply).error().code().name();
  }

  ActorRef<ConsumerProtocol.Command> consumer(String name) {
    TestProbe<ConsumerProtocol.OpenReply> opened = system.kit.createTestProbe();
    DataOptions options = DataOptions.into(ComchPair.pool(system, engine, 1, 64));
    client.tell(new OpenConsumer(name, options, opened.getRef()));
    return ((ConsumerProtocol.Opened) opened.receiveMessage()).context();
  }

  void assertEnds() {
    TestProbe<Object> probe = system.kit.createTestProbe();
    probe.expectTerminated(client);
  }

  @Override
  public void close() {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }
}
