package io.dpuactors.apps.channel;

import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.service.Pong;
import io.dpuactors.wire.PingPong;
import picocli.CommandLine.Command;

/** {@code dpu serve ping}. */
@Command(
    name = "ping",
    sortOptions = false,
    header = {"Answer every ping with a pong.", ""},
    description = {
      "",
      "Exchanges small messages on the control path. A ping can have bytes after the word; the pong returns them. "
          + "Clients can also be C or C++ programs.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve ping               then, in another terminal: dpu client ping",
      "  dpu serve ping --idle busy   lowest latency, occupies one core"
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
