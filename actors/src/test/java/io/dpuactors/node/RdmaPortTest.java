package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import io.dpuactors.testing.RdmaNodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the requests that a port receives while it closes. Each one counts as refused. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaPortTest {
  private static final int PORT = 4791;

  private final List<RdmaConnectionNode> taken = new ArrayList<>();
  private ManualEngine engine;
  private RdmaLoad server;
  private RdmaConnectionNode client;

  @BeforeEach
  void open() {
    engine = RdmaNodes.engine();
    server = RdmaNodes.open(engine, "server").load();
    RdmaLoad clients = RdmaNodes.open(engine, "clients").load();
    engine.settle();
    server.listen(PORT, taken::add);
    client = clients.connect("127.0.0.1", PORT);
  }

  @AfterEach
  void close() {
    RdmaNodes.close(engine);
  }

  @Test
  void aRequestThatArrivesAfterTheEndOfThePortIsRejected() {
    client.own(engine.recorder("client"));
    while (client.phase() == Phase.OPENING) {
      engine.turn();
    }
    server.stopListening();
    RdmaNodes.settle(engine);
    assertThat(engine.events).contains("client failed CONNECTION_ABORTED", "client gone");
    assertRefused();
  }

  /** The device reports the establishment to the client first. */
  @Test
  void aConnectionThatIsEstablishedAfterTheEndOfThePortIsClosed() {
    ContextOwner recorder = engine.recorder("client");
    client.own(
        new ContextOwner() {
          @Override
          public void running() {
            recorder.running();
            server.stopListening();
          }

          @Override
          public void failed(DocaError error) {
            recorder.failed(error);
          }

          @Override
          public void gone() {
            recorder.gone();
          }
        });
    RdmaNodes.settle(engine);
    assertThat(engine.events)
        .contains("client running", "client failed CONNECTION_RESET", "client gone");
    assertRefused();
  }

  private void assertRefused() {
    assertThat(taken).isEmpty();
    assertThat(server.accepted()).isZero();
    assertThat(server.refused()).isEqualTo(1);
  }
}
