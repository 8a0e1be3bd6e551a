package io.dpuactors.apps.channel;

import ch.qos.logback.classic.Level;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.ShareFailed;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.RdmaStore;
import io.dpuactors.wire.RdmaOffer;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu serve rdma}. */
@Command(
    name = "rdma",
    sortOptions = false,
    header = {"Let clients access memory by RDMA.", ""},
    description = {
      "",
      "Listens to a port. Each client reads, writes and changes its own part of the memory, and"
          + " sends messages. The server's program takes no part in the accesses.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve rdma   16 connections with 16 MiB each; then: dpu client rdma",
      "  dpu serve rdma --port 5000 --message-size 1M",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class ServeRdmaCommand extends ChannelCommand {
  /** Room for an offer of memory. */
  private static final int MESSAGE_BYTES = 512;

  private static final int RECEIVES = 64;

  /** Longest silence of a client, as in the other servers. */
  private static final Duration FIRST_MESSAGE = Duration.ofSeconds(30);

  /** A window of messages waits for no receive. */
  private static final int MIN_RECEIVES = 16;

  /** All receives together, unless {@link #MIN_RECEIVES} have more. */
  private static final long RECEIVE_BYTES = 256L << 20;

  private static final Permission[] OF_PEERS = {
    Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC
  };

  @Mixin private EndpointOptions options = new EndpointOptions();

  @Mixin private PortOption port = new PortOption();

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "16",
      description = "Largest number of connections. Default: ${DEFAULT-VALUE}.")
  private int connections = 16;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "16M",
      converter = Size.Converter.class,
      description = "Memory of each connection. Default: ${DEFAULT-VALUE}.")
  private Size memory = new Size(16 << 20);

  @Option(
      names = "--message-size",
      paramLabel = "SIZE",
      defaultValue = "64K",
      converter = Size.Converter.class,
      description = "Longest message of a client. Default: ${DEFAULT-VALUE}.")
  private Size message = new Size(64 << 10);

  @Override
  EndpointOptions options() {
    return options;
  }

  @Override
  Level logLevel() {
    return Level.INFO;
  }

  @Override
  Optional<String> problem() {
    if (connections < 1 || connections > 0xffff) {
      return Optional.of("--connections " + connections + ": it must be from 1 to 65535");
    }
    if (memory.bytes() < Long.BYTES || memory.bytes() > Integer.MAX_VALUE / connections) {
      return Optional.of(
          "--memory, --connections: from 8 bytes for each to less than 2 GiB for all");
    }
    if (message.bytes() * MIN_RECEIVES > Integer.MAX_VALUE) {
      return Optional.of("--message-size: it must be less than 128 MiB");
    }
    return port.problem();
  }

  @Override
  ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    channel.endOnSigTerm();
    DeviceInfo device = devices.rdma(options.device());
    try {
      ActorRef<RdmaListenerProtocol.Command> listener = listen(channel, device);
      reportReady(devices, device);
      try {
        channel.awaitSignal();
      } finally {
        CompletableFuture<Void> ended = channel.endOf(listener);
        listener.tell(new Stop());
        channel.awaitStop(ended);
      }
      return ExitCode.OK;
    } catch (ChannelException e) {
      if (channel.isSignalled()) {
        return ExitCode.OK;
      }
      throw e;
    }
  }

  private int receives() {
    long fitting = RECEIVE_BYTES / Math.max(1, message.bytes());
    return (int) Math.max(MIN_RECEIVES, Math.min(RECEIVES, fitting));
  }

  private ActorRef<RdmaListenerProtocol.Command> listen(Channel channel, DeviceInfo device)
      throws ChannelException {
    PeerBehavior behavior = RdmaStore.of(shared(channel, device), FIRST_MESSAGE);
    RdmaOptions wanted =
        RdmaOptions.defaults()
            .onDevice(device.pciAddress())
            .withPermissions(OF_PEERS)
            .withReceives(receives(), (int) message.bytes())
            .withShare(2 * RdmaOffer.UNHANDLED)
            .withMaxConnections(connections);
    ActorRef<RdmaProtocol.Command> context =
        channel.<RdmaProtocol.Command, RdmaProtocol.OpenReply>open(
            me -> new OpenRdma("rdma", wanted, me));
    try {
      return channel.opened(
          ExitCode.DEVICE,
          channel.<RdmaListenerProtocol.OpenReply>answer(
              me -> context.tell(new OpenRdmaListener("listener", port.port, behavior, me))));
    } catch (ChannelException e) {
      throw e.is(DocaCode.ALREADY_EXIST)
          ? new ChannelException(
              e.code(),
              "another server listens to port %d of %s (choose another with --port)"
                  .formatted(port.port, device.pciAddress()))
          : e;
    }
  }

  private RdmaStore.Shared shared(Channel channel, DeviceInfo device) throws ChannelException {
    Set<Permission> permissions = EnumSet.of(Permission.LOCAL_READ_WRITE, OF_PEERS);
    PoolOptions ofParts =
        PoolOptions.of(connections, (int) memory.bytes())
            .onDevice(device.pciAddress())
            .withMemory(MemoryOptions.defaults().withPermissions(permissions).withHugePages());
    PoolOptions ofMessages =
        PoolOptions.of(connections, MESSAGE_BYTES).onDevice(device.pciAddress());
    BufferPool parts = channel.openPool(me -> new OpenPool(ofParts, me));
    BufferPool messages = channel.openPool(me -> new OpenPool(ofMessages, me));
    ShareReply reply =
        channel.await(
            channel.<ShareReply>answer(me -> channel.engine().tell(new SharePool(parts, me))));
    if (reply instanceof ShareFailed failed) {
      throw new ChannelException(ExitCode.DEVICE, failed.error().toString());
    }
    return new RdmaStore.Shared(parts, ((Shared) reply).memory(), messages, (int) message.bytes());
  }

  /** Prints one line when clients can connect. Scripts wait for this line. */
  private void reportReady(ChannelDevices devices, DeviceInfo device) throws IOException {
    if (options.json) {
      printJson(
          json -> {
            json.writeStringField("serving", "rdma");
            json.writeNumberField("port", port.port);
            json.writeStringField("library", devices.library());
            json.writeStringField("pciAddress", device.pciAddress());
            json.writeStringField("ipv4Address", device.ipv4Address());
          });
    } else {
      line()
          .getOut()
          .println(
              "serving rdma on %s %s at %s port %d"
                  .formatted(
                      devices.library(), device.pciAddress(), device.ipv4Address(), port.port));
    }
    line().getOut().flush();
  }
}
