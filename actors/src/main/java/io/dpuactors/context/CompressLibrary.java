package io.dpuactors.context;

import io.dpuactors.bridge.CompressCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Compress;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes {@code doca_compress}. */
final class CompressLibrary implements TaskLibrary<GetCapabilities> {
  static final CompressLibrary INSTANCE = new CompressLibrary();

  private static final Set<TaskKind> KINDS =
      Set.copyOf(EnumSet.range(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_LZ4_STREAM));

  private CompressLibrary() {}

  @Override
  public String name() {
    return "doca_compress";
  }

  @Override
  public String configPath() {
    return "dpu.compress";
  }

  @Override
  public String purpose() {
    return "compress or decompress";
  }

  @Override
  public Set<TaskKind> kinds() {
    return KINDS;
  }

  @Override
  public TaskLimits limits(Device device, TaskKind kind) {
    return device.compressCapabilities().of(kind);
  }

  @Override
  public int maxTasks(Device device) {
    return device.compressCapabilities().maxTasks();
  }

  @Override
  public DocaContext create(ProgressEngine engine, Device device, long userData) {
    return Compress.create(engine, device, userData);
  }

  @Override
  public Object stop() {
    return CompressProtocol.Stop.INSTANCE;
  }

  @Override
  public Class<GetCapabilities> query() {
    return GetCapabilities.class;
  }

  @Override
  public void answer(GetCapabilities query, @Nullable Device device) {
    query
        .replyTo()
        .tell(device == null ? CompressCapabilities.NONE : device.compressCapabilities());
  }
}
