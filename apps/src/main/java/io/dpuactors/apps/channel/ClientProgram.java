package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import picocli.CommandLine.Mixin;

/** A client: it uses a device of the host's side, and opens a connection for each trial. */
abstract class ClientProgram extends ChannelCommand {
  /** Seconds that a result may arrive after the end of its connection. */
  private static final int LATE_RESULT_S = 30;

  @Mixin ChannelOptions options = new ChannelOptions();

  private final String service;
  private final String usualName;
  private int connections;

  /**
   * Creates a client of a service.
   *
   * @param service as in {@code dpu serve}
   */
  ClientProgram(String service, String usualName) {
    this.service = service;
    this.usualName = usualName;
  }

  @Override
  final ChannelOptions options() {
    return options;
  }

  final String name() {
    return options.name(usualName);
  }

  /** Opens a connection. Call it again after the previous connection has closed. */
  final ActorRef<ConnectionProtocol.Command> connect(
      Channel channel, DeviceInfo device, Optional<ConnectionBehavior> behavior)
      throws ChannelException {
    ClientOptions plain = ClientOptions.of(name()).onDevice(device.pciAddress());
    ClientOptions wanted = behavior.map(plain::withBehavior).orElse(plain);
    String child = "client-" + connections++;
    try {
      return channel.<ConnectionProtocol.Command, ConnectionProtocol.OpenReply>open(
          ExitCode.FAILURE, me -> new OpenComchClient(child, wanted, me));
    } catch (ChannelException e) {
      throw channel.isSignalled() ? e : new ChannelException(e.code(), why(e, device));
    }
  }

  private String why(ChannelException e, DeviceInfo device) {
    String server = "server \"%s\" on %s".formatted(name(), device.pciAddress());
    if (e.is(DocaCode.CONNECTION_ABORTED)) {
      String naming = options.name == null ? "" : " --name " + options.name;
      return "no %s (start one: %s serve %s%s)"
          .formatted(server, SelfCommand.name(), service, naming);
    }
    return e.is(DocaCode.FULL)
        ? "%s is full".formatted(server)
        : "no connection to the %s: %s".formatted(server, e.getMessage());
  }

  /** Waits for the result from an actor that uses this connection, and for the connection's end. */
  final <T> T result(
      Channel channel, CompletableFuture<T> answer, ActorRef<ConnectionProtocol.Command> connection)
      throws ChannelException {
    CompletableFuture<Void> ended = channel.endOf(connection);
    channel.await(CompletableFuture.anyOf(answer, ended));
    T result = channel.await(answer.copy().orTimeout(LATE_RESULT_S, TimeUnit.SECONDS));
    channel.await(ended);
    return result;
  }
}
