package io.dpuactors.apps;

import io.dpuactors.bridge.DeviceInfo;
import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.wire.PingPong;
import io.dpuactors.service.Pong;
import picocli.CommandLine.Command;

/** {@code dpu serve ping}. */
@Command(
    name = "ping",
    sortOptions = false,
    header = {"Answer every ping with a pong.", ""},
    description = {
      "",
      "Small messages there and back, on the control path. A ping may be longer than the word: what follows it comes back behind the pong. "
          + "Clients may be programs in C or C++ as well.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve ping               then, in another terminal: dpu client ping",
      "  dpu serve ping --idle busy   lowest latency, one core burnt"
    })
final class ServePingCommand extends ServerCommand {
  ServePingCommand() {
    super("ping", PingPong.SERVICE);
  }

  @Override
  ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device) {
    return Pong::serve;
  }
}
