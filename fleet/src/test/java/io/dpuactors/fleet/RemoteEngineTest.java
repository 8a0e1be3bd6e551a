package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a request from one node to the engine of another: only actors of its node can use it. */
class RemoteEngineTest {
  private static final Config REMOTE =
      ConfigFactory.parseString(
              "pekko.actor.provider = remote, pekko.remote.artery.canonical {"
                  + " hostname = 127.0.0.1, port = 0 }, pekko.remote.warn-about-direct-use = off,"
                  + " pekko.actor.testkit.typed { single-expect-default = 20s, filter-leeway = 20s"
                  + " }")
          .withFallback(ConfigFactory.load());

  private final ActorTestKit owner = ActorTestKit.create("owner", REMOTE);
  private final ActorTestKit other = ActorTestKit.create("other", REMOTE);

  @AfterEach
  void shutdown() {
    other.shutdownTestKit();
    owner.shutdownTestKit();
  }

  @Test
  void aRequestFromAnotherNodeIsRefusedAndTheErrorNamesTheReason() {
    ActorRef<EngineProtocol.Command> engine =
        owner.spawn(Engine.create(), "engine", Engine.props(owner.system(), "engine"));
    String address = ActorRefResolver.get(owner.system()).toSerializationFormat(engine);
    ActorRef<EngineProtocol.Command> remote =
        ActorRefResolver.get(other.system()).resolveActorRef(address);

    TestProbe<PoolReply> refused = other.createTestProbe();
    LoggingTestKit.error("Failed to serialize message")
        .withCause(UnsupportedOperationException.class)
        .expect(
            other.system(),
            () -> {
              remote.tell(new OpenPool(PoolOptions.of(1, 64), refused.getRef()));
              return null;
            });
    PoolFailed failed = refused.expectMessageClass(PoolFailed.class);
    assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
    assertThat(failed.error().about()).contains("local only");

    TestProbe<PoolReply> opened = owner.createTestProbe();
    engine.tell(new OpenPool(PoolOptions.of(1, 64), opened.getRef()));
    opened.expectMessageClass(PoolOpened.class);
    TestProbe<Stopped> stopped = owner.createTestProbe();
    engine.tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
  }
}
