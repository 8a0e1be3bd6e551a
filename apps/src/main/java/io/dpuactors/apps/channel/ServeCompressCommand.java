package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.service.CompressService;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.wire.CompressMessage;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dpu serve compress}. */
@Command(
    name = "compress",
    sortOptions = false,
    header = {"Compress files of clients on the server's device.", ""},
    description = {
      "",
      "Clients stream files over the fast path and receive gzip members. The clients share one compress context; "
          + "each has separate buffers for a window of blocks. A client that fails or breaks the protocol loses its connection. Other clients continue.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve compress   then, in another terminal: dpu client compress FILE",
      "  dpu serve compress --memory 64M --max-clients 8",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class ServeCompressCommand extends ServerCommand {
  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Largest block of a client. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      defaultValue = "4",
      description = "Largest number of blocks of one client in flight. Default: ${DEFAULT-VALUE}.")
  private int parallel = 4;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "512M",
      converter = Size.Converter.class,
      description = {
        "Largest memory for the blocks of all clients. Without room for another client, the server refuses it as busy.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Size memory = new Size(512L << 20);

  @Option(
      names = "--stall-limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "A client that sends nothing for this time loses its connection. Default: ${DEFAULT-VALUE}.")
  private int stallLimit = 30;

  ServeCompressCommand() {
    super("compress", CompressMessage.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (parallel < 1) {
      return Optional.of("--parallel " + parallel + ": it must be at least 1");
    }
    if (stallLimit < 1) {
      return Optional.of("--stall-limit " + stallLimit + ": it must be at least 1 s");
    }
    return blockSize.bytes() > GzipMember.maxContentBytes(Integer.MAX_VALUE)
        ? Optional.of("--block-size: a block and its possible growth must have less than 2 GiB")
        : Optional.empty();
  }

  @Override
  DeviceInfo device(ChannelDevices devices) throws ChannelException {
    DeviceInfo device = devices.compressServer(options.device());
    long limit =
        device.capabilities(TaskLibrary.COMPRESS).of(TaskKind.COMPRESS_DEFLATE).maxBufferBytes();
    if (GzipMember.maxPayloadBytes((int) blockSize.bytes()) > limit) {
      throw new ChannelException(
          ExitCode.DEVICE,
          "a block size of %d bytes is beyond the device's limit: incompressible blocks grow, so the largest block size is %d bytes (%s)"
              .formatted(
                  blockSize.bytes(), GzipMember.maxContentBytes(limit), device.pciAddress()));
    }
    return device;
  }

  @Override
  ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException {
    TaskOptions deflate =
        TaskOptions.defaults().onDevice(device.pciAddress()).withKinds(TaskKind.COMPRESS_DEFLATE);
    ActorRef<CompressProtocol.Command> compress =
        channel.<CompressProtocol.Command, CompressProtocol.OpenReply>open(
            me -> new OpenCompress("compress", deflate, me));
    Limits limits =
        new Limits(
            (int) blockSize.bytes(), parallel, memory.bytes(), Duration.ofSeconds(stallLimit));
    CompressService service =
        CompressService.create(
            channel.engine(), compress, Optional.of(device.pciAddress()), limits);
    return sessions(channel, service.sessions());
  }
}
