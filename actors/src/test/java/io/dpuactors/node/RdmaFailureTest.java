package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import io.dpuactors.testing.RdmaNodes;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the failure of an RDMA context with several connections. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaFailureTest {
  private ManualEngine engine;

  @BeforeEach
  void open() {
    engine = RdmaNodes.engine();
  }

  @AfterEach
  void close() {
    RdmaNodes.close(engine);
  }

  /** A connection of another context, which is destroyed, cannot be disconnected. */
  @Test
  @ExpectedLog("was destroyed")
  void aConnectionThatCannotBeDisconnectedDoesNotAffectTheOthers() {
    ContextNode<RdmaLoad> context = RdmaNodes.open(engine, "context");
    engine.settle();
    DocaContext destroyed = RdmaNodes.create(engine.core, 0);
    destroyed.destroy();
    context.load().begin(destroyed, 0, Nanos.FOREVER).own(engine.recorder("faulty"));
    context.load().export().connection().own(engine.recorder("healthy"));
    context.broken(DocaError.of("doca_ctx", DocaCode.UNEXPECTED.value(), "lost"));
    RdmaNodes.settle(engine);
    assertThat(engine.events)
        .contains(
            "faulty failed UNEXPECTED",
            "faulty gone",
            "healthy failed UNEXPECTED",
            "healthy gone",
            "context gone");
  }

  @Test
  @ExpectedLog("the address is in use")
  void aFailureToFreeAnAddressDoesNotPreventTheAnswers() {
    TestInbox<RdmaConnectionProtocol.Reply> replies = TestInbox.create();
    ContextNode<RdmaLoad> context = RdmaNodes.open(engine, "context");
    engine.settle();
    RdmaConnectionNode faulty = context.load().connect("localhost", 1);
    faulty.own(engine.recorder("faulty"));
    faulty.load().accept(new Send(null, OptionalInt.empty(), 7, replies.getRef()));
    faulty.atEnd(
        () -> {
          throw new IllegalStateException("the address is in use");
        });
    engine.settle();
    assertThat(engine.events).contains("faulty failed INVALID_VALUE", "faulty gone");
    assertThat(((Failed) replies.receiveMessage()).code()).isEqualTo(DocaCode.INVALID_VALUE);
  }
}
