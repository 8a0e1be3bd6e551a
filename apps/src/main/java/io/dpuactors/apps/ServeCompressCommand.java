package io.dpuactors.apps;

import io.dpuactors.bridge.DeviceInfo;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.gzip.GzipMember;
import io.dpuactors.protocol.wire.CompressMessage;
import io.dpuactors.service.CompressService;
import io.dpuactors.service.CompressService.Limits;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dpu serve compress}. */
@Command(
    name = "compress",
    sortOptions = false,
    header = {"Compress what clients send, on this side's device.", ""},
    description = {
      "",
      "Clients stream files over the fast path, and get gzip members back. They share one compress context; "
          + "each has buffers of its own for a window of blocks. A client that dies or misbehaves loses its connection, and disturbs nobody.",
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
      description = "Largest block that a client can get. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      defaultValue = "4",
      description = "Most blocks of one client on their way at once. Default: ${DEFAULT-VALUE}.")
  private int parallel = 4;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "512M",
      converter = Size.Converter.class,
      description = {
        "Most memory for the blocks of all clients; those for whom there is none left are told to come later.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Size memory = new Size(512L << 20);

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long a client may be silent. Default: ${DEFAULT-VALUE}.")
  private int patience = 30;

  ServeCompressCommand() {
    super("compress", CompressMessage.SERVICE);
  }

  @Override
  Optional<String> problem() {
    if (parallel < 1) {
      return Optional.of("--parallel " + parallel + ": at least 1 block must be on its way");
    }
    if (patience < 1) {
      return Optional.of("--patience " + patience + ": at least a second");
    }
    return blockSize.bytes() > GzipMember.maxContentBytes(Integer.MAX_VALUE)
        ? Optional.of("--block-size: a block, and what it may grow to, has less than 2 GiB")
        : Optional.empty();
  }

  @Override
  DeviceInfo device(ChannelDevices devices) throws ChannelException {
    DeviceInfo device = devices.compressServer(options.device());
    long limit = device.compress().deflate().maxBufferBytes();
    if (GzipMember.maxPayloadBytes((int) blockSize.bytes()) > limit) {
      throw new ChannelException(
          ExitCode.DEVICE,
          "a block size of %d bytes is beyond the device's limit: with room for what cannot be compressed, blocks may have %d bytes (%s)"
              .formatted(
                  blockSize.bytes(), GzipMember.maxContentBytes(limit), device.pciAddress()));
    }
    return device;
  }

  @Override
  ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException {
    CompressOptions deflate =
        CompressOptions.defaults()
            .onDevice(device.pciAddress())
            .withKinds(TaskKind.COMPRESS_DEFLATE);
    ActorRef<CompressProtocol.Command> compress =
        channel.open(me -> new OpenCompress("compress", deflate, me));
    Limits limits =
        new Limits((int) blockSize.bytes(), parallel, memory.bytes(), Duration.ofSeconds(patience));
    CompressService service =
        CompressService.create(
            channel.engine(), compress, Optional.of(device.pciAddress()), limits);
    return sessions(channel, service.sessions());
  }
}
