package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalsTest {
  @Test
  void aDescriptorThatIsNotOpenHasNoColumns() {
    assertThat(Terminals.columns(-1)).isEmpty();
  }
}
