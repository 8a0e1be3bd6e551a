package io.dpuactors.context;

import io.dpuactors.bridge.DmaCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.Dma;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.GetCapabilities;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes {@code doca_dma}. */
final class DmaLibrary implements TaskLibrary<GetCapabilities> {
  static final DmaLibrary INSTANCE = new DmaLibrary();

  private DmaLibrary() {}

  @Override
  public String name() {
    return "doca_dma";
  }

  @Override
  public String configPath() {
    return "dpu.dma";
  }

  @Override
  public String purpose() {
    return "memory copies (DMA)";
  }

  @Override
  public Set<TaskKind> kinds() {
    return Set.of(TaskKind.DMA_MEMCPY);
  }

  @Override
  public TaskLimits limits(Device device, TaskKind kind) {
    return device.dmaCapabilities().of(kind);
  }

  @Override
  public int maxTasks(Device device) {
    return device.dmaCapabilities().maxTasks();
  }

  @Override
  public DocaContext create(ProgressEngine engine, Device device, long userData) {
    return Dma.create(engine, device, userData);
  }

  @Override
  public Object stop() {
    return DmaProtocol.Stop.INSTANCE;
  }

  @Override
  public Class<GetCapabilities> query() {
    return GetCapabilities.class;
  }

  @Override
  public void answer(GetCapabilities query, @Nullable Device device) {
    query.replyTo().tell(device == null ? DmaCapabilities.NONE : device.dmaCapabilities());
  }
}
