package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the immediate data of RDMA clients. */
class RdmaEchoTest {
  @Test
  void immediateDataHasTheClientAndTheNumber() {
    for (int client = 0; client < RdmaProgram.MAX_CLIENTS; client++) {
      for (int number : new int[] {0, 1, 59, 65_535}) {
        int immediate = RdmaEcho.immediate(client, number);
        assertThat(RdmaEcho.client(immediate)).isEqualTo(client);
        assertThat(RdmaEcho.number(immediate)).isEqualTo(number);
      }
    }
  }
}
