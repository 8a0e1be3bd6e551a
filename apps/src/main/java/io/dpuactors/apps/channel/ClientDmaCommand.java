package io.dpuactors.apps.channel;

import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.service.MemoryCopier;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.wire.DmaOffer;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dpu client dma}. */
@Command(
    name = "dma",
    sortOptions = false,
    header = {"Copy blocks of a server's memory by DMA.", ""},
    description = {
      "",
      "Imports the server's memory, copies all blocks with several copies in flight, and prints the data rate. "
          + "The server's program takes no part in the copies.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client dma --verify   with 'dpu serve dma' in another terminal",
      "  dpu client dma --parallel 16 --trials 5 --json"
    })
final class ClientDmaCommand extends TransferProgram {
  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      defaultValue = "4",
      description = "Copies in flight. Default: ${DEFAULT-VALUE}.")
  private int parallel = 4;

  @Option(
      names = "--dma-device",
      paramLabel = "PCI",
      description = {
        "Device that copies. A device of the DPU's side must export the server's memory.",
        "Default: the device of the connection."
      })
  private @Nullable String dmaDevice;

  ClientDmaCommand() {
    super("dma", DmaOffer.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (parallel < 1) {
      return Optional.of("--parallel " + parallel + ": it must be at least 1");
    }
    return super.problem()
        .or(() -> DeviceOptions.problem("--dma-device", Optional.ofNullable(dmaDevice)));
  }

  @Override
  OptionalInt parallel() {
    return OptionalInt.of(parallel);
  }

  @Override
  Mover mover(Channel channel, ChannelDevices devices, DeviceInfo device) throws ChannelException {
    DeviceInfo importer = devices.importer(Optional.ofNullable(dmaDevice), device);
    CopierOptions wanted =
        new CopierOptions(Optional.of(importer.pciAddress()), parallel, maxMemory.bytes(), verify);
    return (connection, memory, replyTo) ->
        MemoryCopier.create(connection, channel.engine(), memory, wanted, replyTo);
  }
}
