package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which RDMA contexts open sync events of peers. */
class RemoteEventsTest {
  private final Rig rig = new Rig();
  private final DocaContext context =
      Rdma.create(
          rig.engine,
          rig.device,
          new Rdma.Properties(Set.of(Permission.RDMA_READ), 0, 4, 1, 7, 1000),
          0);

  @AfterEach
  void end() {
    context.destroy();
    rig.close();
  }

  /** A context configures the kinds only if its device executes them. */
  @Test
  void aContextWithoutTheKindsOpensNoEvent() {
    assertRefused(DocaCode.NOT_SUPPORTED, "executes no tasks on sync events of peers");
  }

  @Test
  void aContextWithTheKindsChecksTheDescription() {
    assertThat(RemoteEvents.areSupported(rig.device)).isTrue();
    assertThat(RemoteEvents.kinds()).hasSize(3).allMatch(k -> k.name().startsWith("RDMA_EVENT"));
    context.configure(TaskKind.RDMA_EVENT_GET, 4);
    assertRefused(DocaCode.INVALID_VALUE, "rdma on " + rig.device.pciAddress());
  }

  private void assertRefused(DocaCode code, String about) {
    assertThatThrownBy(() -> RemoteEvents.open(context, rig.device, new byte[88]))
        .isInstanceOfSatisfying(
            DocaException.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo(code);
              assertThat(refused.error().about()).contains(about);
            });
  }
}
