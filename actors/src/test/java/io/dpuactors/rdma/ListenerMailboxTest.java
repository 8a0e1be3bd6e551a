package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import io.dpuactors.testing.RdmaNodes;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a listener whose test handles its messages in any order. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ListenerMailboxTest {
  private static final DocaError LOST =
      DocaError.of("doca_ctx", DocaCode.UNEXPECTED.value(), "lost");

  private ManualEngine engine;

  @BeforeEach
  void open() {
    engine = RdmaNodes.engine();
  }

  @AfterEach
  void close() {
    RdmaNodes.close(engine);
  }

  @Test
  void aConnectionThatWasAcceptedAheadOfAStopIsClosed() {
    ContextNode<RdmaLoad> server = RdmaNodes.open(engine, "server");
    ContextNode<RdmaLoad> client = RdmaNodes.open(engine, "client");
    engine.settle();
    BehaviorTestKit<RdmaListenerProtocol.Command> listener = listener(host(server.load()));
    client.load().connect(ListenerRig.HOST, ListenerRig.PORT).own(engine.recorder("connection"));
    engine.settle();
    assertThat(engine.events).contains("connection running");
    assertThat(listener.selfInbox().hasMessages()).isTrue();

    listener.run(new Stop());
    assertThat(listener.isAlive()).isFalse();
    engine.settle();
    assertThat(engine.events).contains("connection failed CONNECTION_RESET", "connection gone");
    assertThat(server.load().mayStop()).isTrue();
  }

  /** The context fails again before the listener handles that the context runs. */
  @Test
  void aListenerWaitsForAContextThatFailsTwice() {
    ContextNode<RdmaLoad> first = RdmaNodes.open(engine, "first");
    engine.settle();
    RdmaHost host = host(first.load());
    BehaviorTestKit<RdmaListenerProtocol.Command> listener = listener(host);
    first.broken(LOST);
    RdmaNodes.settle(engine);
    ContextNode<RdmaLoad> second = RdmaNodes.open(engine, "second");
    engine.settle();
    host.begun(second.load());
    second.broken(LOST);
    again(listener);
    assertThat(listener.isAlive()).isTrue();
    RdmaNodes.settle(engine);
    assertThat(engine.events).contains("first gone", "second running", "second gone");

    ContextNode<RdmaLoad> third = RdmaNodes.open(engine, "third");
    ContextNode<RdmaLoad> client = RdmaNodes.open(engine, "client");
    engine.settle();
    host.begun(third.load());
    again(listener);
    client.load().connect(ListenerRig.HOST, ListenerRig.PORT).own(engine.recorder("connection"));
    engine.settle();
    assertThat(engine.events).contains("connection running");
    listener.run(new Stop());
    assertThat(listener.isAlive()).isFalse();
    engine.settle();
    assertThat(third.load().mayStop()).isTrue();
  }

  private static void again(BehaviorTestKit<RdmaListenerProtocol.Command> listener) {
    listener.getRef().<Object>unsafeUpcast().tell(RdmaListener.Again.INSTANCE);
    listener.runOne();
  }

  private RdmaHost host(RdmaLoad load) {
    RdmaHost host =
        new RdmaHost(
            engine.core,
            RdmaSettings.from(ConfigFactory.load("application-test"), RdmaOptions.defaults()));
    host.begun(load);
    return host;
  }

  private static BehaviorTestKit<RdmaListenerProtocol.Command> listener(RdmaHost host) {
    OpenRdmaListener command =
        new OpenRdmaListener(
            "listener",
            ListenerRig.PORT,
            connection -> Behaviors.ignore(),
            TestInbox.<RdmaListenerProtocol.OpenReply>create().getRef());
    return BehaviorTestKit.create(
        RdmaListener.create(host, command, TestInbox.<ContextEvent>create().getRef()));
  }
}
