package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** Opens servers and clients of the communication channel on the engines of a test. */
public final class ComchPair {
  private ComchPair() {}

  /** Asks an engine for a server. */
  public static ServerProtocol.OpenReply openServer(
      RunningSystem system,
      ActorRef<EngineProtocol.Command> engine,
      String name,
      ServerOptions options) {
    TestProbe<ServerProtocol.OpenReply> probe = system.kit.createTestProbe();
    engine.tell(new OpenComchServer(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a server on the first engine and returns it. */
  public static ActorRef<ServerProtocol.Command> server(
      RunningSystem system, ServerOptions options) {
    ServerProtocol.OpenReply reply = openServer(system, system.engine, "server", options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((ServerProtocol.Opened) reply).context();
  }

  /** Asks an engine for a client. */
  public static ConnectionProtocol.OpenReply openClient(
      RunningSystem system,
      ActorRef<EngineProtocol.Command> engine,
      String name,
      ClientOptions options) {
    TestProbe<ConnectionProtocol.OpenReply> probe = system.kit.createTestProbe();
    engine.tell(new OpenComchClient(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a client on an engine and returns it when it is connected. */
  public static ActorRef<ConnectionProtocol.Command> client(
      RunningSystem system,
      ActorRef<EngineProtocol.Command> engine,
      String name,
      ClientOptions options) {
    ConnectionProtocol.OpenReply reply = openClient(system, engine, name, options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((ConnectionProtocol.Opened) reply).context();
  }

  /** Opens a pool for consumers, on the same device as the first server or client. */
  public static BufferPool pool(
      RunningSystem system, ActorRef<EngineProtocol.Command> engine, int count, int bytes) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    engine.tell(
        new OpenPool(
            PoolOptions.of(count, bytes)
                .withPermissions(Set.of(Permission.LOCAL_READ_WRITE, Permission.PCI_READ_WRITE)),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }
}
