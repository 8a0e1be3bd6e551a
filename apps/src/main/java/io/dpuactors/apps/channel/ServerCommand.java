package io.dpuactors.apps.channel;

import ch.qos.logback.classic.Level;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.Sessions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * A server. The server prepares its data, prints a line when it is ready, and serves until a
 * signal. The server stops in this order: the server with its connections, their sessions, the
 * data, the engine. SIGTERM is the regular way to stop a server: the exit status is then 0.
 */
abstract class ServerCommand extends ChannelCommand {
  @Mixin ServeOptions options = new ServeOptions();

  private final String what;
  private final String usualName;
  private @Nullable ActorRef<Sessions.Command> sessions;

  ServerCommand(String what, String usualName) {
    this.what = what;
    this.usualName = usualName;
  }

  @Override
  final ChannelOptions options() {
    return options;
  }

  /** Returns the device of the server. */
  DeviceInfo device(ChannelDevices devices) throws ChannelException {
    return devices.server(options.device());
  }

  /** Prepares the data before clients can connect. Returns the behavior of each connection. */
  abstract ConnectionBehavior prepare(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws ChannelException;

  /** Releases the resources of {@link #prepare}. Called after the last connection has closed. */
  void releaseMemory() {}

  /** Spawns the parent of the sessions. The parent stops before {@link #releaseMemory}. */
  final ConnectionBehavior sessions(Channel channel, ConnectionBehavior behavior)
      throws ChannelException {
    ActorRef<Sessions.Command> spawned =
        channel.spawnOnEngine(Sessions.create(behavior), "sessions");
    sessions = spawned;
    return Sessions.connections(spawned);
  }

  /** Returns INFO: a server logs one line per client. */
  @Override
  final Level logLevel() {
    return Level.INFO;
  }

  @Override
  final ExitCode run(Channel channel, ChannelDevices devices) throws Exception {
    channel.endOnSigTerm();
    DeviceInfo device = device(devices);
    try {
      return serve(channel, devices, device);
    } catch (ChannelException e) {
      if (channel.isSignalled()) {
        return ExitCode.OK;
      }
      throw e;
    }
  }

  private ExitCode serve(Channel channel, ChannelDevices devices, DeviceInfo device)
      throws Exception {
    try {
      ConnectionBehavior behavior = prepare(channel, devices, device);
      ActorRef<ServerProtocol.Command> server = open(channel, device, behavior);
      reportReady(devices, device);
      try {
        channel.awaitSignal();
      } finally {
        CompletableFuture<Void> ended = channel.endOf(server);
        server.tell(new Stop());
        channel.awaitStop(ended);
      }
      return ExitCode.OK;
    } finally {
      stopSessions(channel);
      releaseMemory();
    }
  }

  private ActorRef<ServerProtocol.Command> open(
      Channel channel, DeviceInfo device, ConnectionBehavior behavior) throws ChannelException {
    try {
      return channel.<ServerProtocol.Command, ServerProtocol.OpenReply>open(
          me -> new OpenComchServer("server", serverOptions(device, behavior), me));
    } catch (ChannelException e) {
      throw e.is(DocaCode.ALREADY_EXIST)
          ? new ChannelException(
              e.code(),
              "another server has the name \"%s\" for %s (choose another with --name)"
                  .formatted(
                      options.name(usualName),
                      ChannelDevices.representor(device, options.representor())))
          : e;
    }
  }

  private void stopSessions(Channel channel) {
    ActorRef<Sessions.Command> spawned = sessions;
    if (spawned != null) {
      CompletableFuture<Void> ended = channel.endOf(spawned);
      spawned.tell(Sessions.Stop.INSTANCE);
      channel.awaitStop(ended);
    }
  }

  private ServerOptions serverOptions(DeviceInfo device, ConnectionBehavior behavior) {
    ServerOptions made =
        ServerOptions.of(options.name(usualName), behavior).onDevice(device.pciAddress());
    if (options.representor().isPresent()) {
      made = made.forHostFunction(options.representor().get());
    }
    return options.maxClients == null ? made : made.withMaxConnections(options.maxClients);
  }

  /** Prints one line when clients can connect. Scripts wait for this line. */
  private void reportReady(ChannelDevices devices, DeviceInfo device) throws IOException {
    String name = options.name(usualName);
    String representor = ChannelDevices.representor(device, options.representor());
    if (options.json) {
      printJson(
          json -> {
            json.writeStringField("serving", what);
            json.writeStringField("name", name);
            json.writeStringField("library", devices.library());
            json.writeStringField("pciAddress", device.pciAddress());
            json.writeStringField("representor", representor);
          });
    } else {
      line()
          .getOut()
          .println(
              "serving %s on %s %s for %s as %s"
                  .formatted(what, devices.library(), device.pciAddress(), representor, name));
    }
    line().getOut().flush();
  }
}
