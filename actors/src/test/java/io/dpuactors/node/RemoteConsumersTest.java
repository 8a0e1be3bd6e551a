package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import org.junit.jupiter.api.Test;

class RemoteConsumersTest {
  private final RemoteConsumers consumers = new RemoteConsumers("connection-1", 1);

  /** A peer that announces consumers without end fails its connection. */
  @Test
  void theNumberOfConsumersIsBounded() {
    for (int id = 1; id <= RemoteConsumers.MAX_CONSUMERS; id++) {
      consumers.joined(id);
    }

    assertThatExceptionOfType(DocaException.class)
        .isThrownBy(() -> consumers.joined(0))
        .satisfies(e -> assertThat(e.error().code()).isEqualTo(DocaCode.FULL))
        .withMessageContaining("connection-1: the peer has more than 1024 consumers");
    assertThat(consumers.ids()).hasSize(RemoteConsumers.MAX_CONSUMERS).doesNotContain(0);
  }

  @Test
  void aConsumerThatLeavesMakesRoom() {
    for (int id = 1; id <= RemoteConsumers.MAX_CONSUMERS; id++) {
      consumers.joined(id);
    }
    consumers.left(1);
    consumers.joined(5000);

    assertThat(consumers.contains(1)).isFalse();
    assertThat(consumers.contains(5000)).isTrue();
  }
}
