package io.dpuactors.apps.channel;

import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.service.BlockReceiver;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.wire.DataGeometry;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code dpu client data}. */
@Command(
    name = "data",
    sortOptions = false,
    header = {"Receive blocks of memory over the fast path.", ""},
    description = {
      "",
      "Posts one receive at a time until all blocks of the server have arrived, and prints the data rate.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client data --verify   with 'dpu serve data' in another terminal",
      "  dpu client data --trials 5 --json"
    })
final class ClientDataCommand extends TransferProgram {
  ClientDataCommand() {
    super("data", DataGeometry.SERVICE);
  }

  @Override
  Mover mover(Channel channel, ChannelDevices devices, DeviceInfo device) {
    ReceiverOptions wanted =
        new ReceiverOptions(Optional.of(device.pciAddress()), maxMemory.bytes(), verify);
    return (connection, memory, replyTo) ->
        BlockReceiver.create(connection, channel.engine(), memory, wanted, replyTo);
  }
}
