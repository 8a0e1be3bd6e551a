package io.dpuactors.testing;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.RdmaLinkSettings;
import io.dpuactors.node.RdmaLoad;
import io.dpuactors.node.RdmaMemory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Opens RDMA contexts without actors, on an engine without a loop. */
public final class RdmaNodes {
  private static final int TASKS = 8;
  private static final int RECEIVES = 4;
  private static final int RECEIVE_BYTES = 64;
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);
  private static final Rdma.Properties PROPERTIES =
      new Rdma.Properties(Set.of(), 0, TASKS, 4, 7, 1000);

  private RdmaNodes() {}

  /** Creates an engine whose device executes in its turns. */
  public static ManualEngine engine() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    return ManualEngine.create(1);
  }

  /** Lets the deadlines of the nodes pass. */
  public static void settle(ManualEngine engine) {
    for (int i = 0; i < 3; i++) {
      engine.settle();
      engine.advance(ManualEngine.SECOND);
    }
  }

  /** Closes the nodes, then the engine. */
  public static void close(ManualEngine engine) {
    engine.core.closeNodes();
    settle(engine);
    engine.close();
  }

  /** Opens a context, which runs after some turns. */
  public static ContextNode<RdmaLoad> open(ManualEngine engine, String name) {
    RdmaLoad load =
        new RdmaLoad(engine.core, name, new RdmaLinkSettings(LANE, 16, TIMES), TASKS, RECEIVES);
    return engine.core.openContext(
        name,
        load,
        TIMES,
        (core, userData) -> opened(core, load, userData),
        engine.recorder(name),
        0);
  }

  private static ContextOpener.Opened opened(EngineCore core, RdmaLoad load, long userData) {
    DocaContext fresh = create(core, userData);
    fresh.configure(TaskKind.RDMA_SEND, TASKS);
    fresh.configure(TaskKind.RDMA_SEND_IMMEDIATE, TASKS);
    fresh.configure(TaskKind.RDMA_RECEIVE, RECEIVES);
    RdmaMemory memory = RdmaMemory.open(core.pools(), device(core), RECEIVES, RECEIVE_BYTES, TASKS);
    load.use(memory);
    return new ContextOpener.Opened(fresh, Map.of(), () -> memory.close(core.pools()), "");
  }

  /** Creates an idle native context. */
  public static DocaContext create(EngineCore core, long userData) {
    return Rdma.create(core.progressEngine(), device(core), PROPERTIES, userData);
  }

  private static Device device(EngineCore core) {
    return core.devices().open(Optional.empty(), Device::isRdmaSupported, "connect peers");
  }
}
