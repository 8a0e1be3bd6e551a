package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.MemoryProtocol.ExportFailed;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.ExportReply;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.service.BlockMemory;
import io.dpuactors.service.MemoryOffer;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu serve dma}. */
@Command(
    name = "dma",
    sortOptions = false,
    header = {"Let clients read blocks of memory by DMA.", ""},
    description = {
      "",
      "Exports the memory read-only, and sends the export to each client, whose device copies the blocks. "
          + "Clients can also be C or C++ programs.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve dma   256 blocks of 1 MiB; then: dpu client dma",
      "  dpu serve dma --blocks 64 --block-size 4M",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class ServeDmaCommand extends ServerCommand {
  @Mixin private BlockOptions shape = new BlockOptions();

  @Option(
      names = "--dma-device",
      paramLabel = "PCI",
      description = {
        "Device that exports the memory. Clients copy with a device of the host's side.",
        "Default: the device of the server."
      })
  private @Nullable String dmaDevice;

  private @Nullable Buffer memory;

  ServeDmaCommand() {
    super("dma", DmaOffer.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (shape.problem().isPresent()) {
      return shape.problem();
    }
    return shape.geometry().totalBytes() > Integer.MAX_VALUE
        ? Optional.of("--blocks, --block-size: all blocks together must have less than 2 GiB")
        : DeviceOptions.problem("--dma-device", Optional.ofNullable(dmaDevice));
  }

  @Override
  ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException {
    DataGeometry geometry = shape.geometry();
    DeviceInfo exporter = devices.exporter(Optional.ofNullable(dmaDevice), device);
    // One buffer: importers need the blocks in one contiguous range.
    BufferPool pool =
        channel.openPool(
            me ->
                new OpenPool(
                    PoolOptions.of(1, (int) geometry.totalBytes())
                        .onDevice(exporter.pciAddress())
                        .withMemory(
                            MemoryOptions.defaults()
                                .withPermissions(Set.of(Permission.PCI_READ_ONLY))
                                .withHugePages()),
                    me));
    memory = BlockMemory.fillWhole(pool, geometry);
    ExportReply reply =
        channel.await(
            channel.<ExportReply>answer(me -> channel.engine().tell(new ExportPool(pool, me))));
    if (reply instanceof ExportFailed failed) {
      throw new ChannelException(ExitCode.DEVICE, failed.error().toString());
    }
    byte[] descriptor = ((Exported) reply).export().bytes();
    return MemoryOffer.of(DmaOffer.of(geometry, descriptor));
  }

  @Override
  void releaseMemory() {
    if (memory != null) {
      memory.release();
    }
  }
}
