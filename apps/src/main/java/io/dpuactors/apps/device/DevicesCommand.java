package io.dpuactors.apps.device;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.Devices;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu devices}. The command starts no actor system. */
@Command(
    name = "devices",
    sortOptions = false,
    header = {"Show the devices, their capabilities, and the library in use.", ""},
    description = {
      "",
      "Shows the devices with their representors, capabilities and limits, the DOCA library in use, and the reason for its choice.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu devices",
      "  dpu devices --json",
      "  dpu devices -Ddpu.library=softdpu   the software DPU only",
      "  dpu devices -Ddpu.library=doca      NVIDIA's library, or its load error"
    })
public final class DevicesCommand extends CliCommand {
  @Option(names = "--json", description = "Print one JSON document instead of a table.")
  private boolean json;

  @Mixin private CommonOptions common = new CommonOptions();

  public DevicesCommand() {}

  @Override
  public Integer call() throws Exception {
    common.apply();
    try {
      DocaLibrary library = DocaLibrary.load(Configuration.library());
      List<DeviceInfo> devices = Devices.list(library);
      if (json) {
        DeviceJson.print(line().getOut(), library, devices);
      } else {
        DeviceTable.print(line().getOut(), library, devices);
      }
      return ExitCode.OK.status();
    } catch (IllegalStateException | DocaException e) {
      int status = fail(e.getMessage(), ExitCode.DEVICE).status();
      if (common.debug) {
        e.printStackTrace(line().getErr());
      }
      return status;
    }
  }
}
