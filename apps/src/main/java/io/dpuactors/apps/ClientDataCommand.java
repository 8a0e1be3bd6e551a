package io.dpuactors.apps;

import io.dpuactors.bridge.DeviceInfo;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.wire.DataGeometry;
import io.dpuactors.service.BlockReceiver;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.Transfer;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;

/** {@code dpu client data}. */
@Command(
    name = "data",
    sortOptions = false,
    header = {"Receive blocks of memory over the fast path.", ""},
    description = {
      "",
      "Posts one receive at a time until every block of the server has come, and tells how fast they came.",
      ""
    },
    exitCodeListHeading = "%nExit status:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client data --verify                       with 'dpu serve data' in another terminal",
      "  dpu client data --trials 5 --json"
    })
final class ClientDataCommand extends TransferProgram {
  ClientDataCommand() {
    super("data", DataGeometry.SERVICE);
  }

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    DeviceInfo device = devices.client(options.device());
    ReceiverOptions wanted =
        new ReceiverOptions(Optional.of(device.pciAddress()), maxMemory.bytes(), verify);
    ExitCode code = ExitCode.OK;
    for (int trial = 0; trial < trials.trials && code == ExitCode.OK; trial++) {
      Channel.Promise<Transfer> told = channel.promise();
      ActorRef<ConnectionProtocol.Command> connection = connect(channel, device, Optional.empty());
      channel.spawnOnEngine(
          BlockReceiver.create(connection, channel.engine(), wanted, told.to()),
          "receiver-" + trial);
      code = print(result(channel, told.answer(), connection), devices, OptionalInt.empty());
    }
    return code;
  }
}
