package io.dpuactors.apps.channel;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.service.BlockMemory;
import io.dpuactors.service.BlockSender;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu serve data}. */
@Command(
    name = "data",
    sortOptions = false,
    header = {"Send blocks of memory over the fast path.", ""},
    description = {
      "",
      "Sends each client the number and size of the blocks, then each block into a buffer that the client posts. "
          + "Clients can also be C or C++ programs.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve data         256 blocks of 1 MiB; then: dpu client data",
      "  dpu serve data --nul   for a client that reads the geometry as a C string",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class ServeDataCommand extends ServerCommand {
  @Mixin private BlockOptions shape = new BlockOptions();

  @Option(names = "--nul", description = "Append a NUL to the geometry, as C programs do.")
  private boolean nul;

  @Option(
      names = "--stall-limit",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "A client that receives no block for this time after its first request loses its connection. Default: ${DEFAULT-VALUE}.")
  private int stallLimit = 10;

  private @Nullable BlockMemory memory;

  ServeDataCommand() {
    super("data", DataGeometry.SERVICE);
  }

  @Override
  Optional<String> problem() {
    return stallLimit < 1
        ? Optional.of("--stall-limit " + stallLimit + ": it must be at least 1 s")
        : shape.problem();
  }

  @Override
  ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException {
    DataGeometry geometry = shape.geometry();
    BufferPool pool =
        channel.openPool(
            me ->
                new OpenPool(
                    PoolOptions.of(geometry.blocks(), geometry.blockBytes())
                        .onDevice(device.pciAddress())
                        .withMemory(MemoryOptions.defaults().withHugePages()),
                    me));
    BlockMemory filled = BlockMemory.fill(pool, geometry);
    memory = filled;
    Duration limit = Duration.ofSeconds(stallLimit);
    return sessions(
        channel,
        connection -> BlockSender.create(connection, channel.engine(), filled, nul, limit));
  }

  @Override
  void releaseMemory() {
    if (memory != null) {
      memory.close();
    }
  }
}
