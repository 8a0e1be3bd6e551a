package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
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
    BehaviorTestKit<RdmaListenerProtocol.Command> listener = listener(server.load());
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

  private BehaviorTestKit<RdmaListenerProtocol.Command> listener(RdmaLoad load) {
    RdmaHost host =
        new RdmaHost(
            engine.core,
            RdmaSettings.from(ConfigFactory.load("application-test"), RdmaOptions.defaults()));
    host.begun(load);
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
