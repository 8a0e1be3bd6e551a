package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.file.RunReport;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.BlockWorker;
import io.dpuactors.file.FileCommand;
import io.dpuactors.file.FileCompression;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.RemoteCompress;
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.service.RemoteCompress.Ready;
import io.dpuactors.wire.CompressMessage.Hello;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Compresses one file through the compress service: the local file pipeline with the server's
 * compress context.
 */
final class RemoteRun {
  private final Channel channel;
  private final FileJob.Compress job;
  private final RunReport report;
  private final PartialFiles partials = PartialFiles.create();
  private final CompletableFuture<Ready> ready = new CompletableFuture<>();
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();
  private final CompletableFuture<FileEvent> fileEnded = new CompletableFuture<>();

  RemoteRun(Channel channel, FileJob.Compress job, RunReport report) {
    this.channel = channel;
    this.job = job;
    this.report = report;
  }

  ExitCode run(ClientProgram client, ChannelDevices devices, Hello wishes) throws ChannelException {
    DeviceInfo device = devices.client(client.options.device());
    ActorRef<ConnectionProtocol.Command> connection =
        client.connect(channel, device, Optional.empty());
    ActorRef<RemoteCompress.Event> listener =
        channel.spawn(remoteEvents(), "remote-events", DispatcherSelector.defaultDispatcher());
    ActorRef<Object> remote =
        channel.spawn(
            RemoteCompress.create(
                connection, channel.engine(), Optional.of(device.pciAddress()), wishes, listener),
            "remote",
            DispatcherSelector.blocking());
    channel.await(CompletableFuture.anyOf(ready, ended));
    if (!ready.isDone()) {
      throw failure();
    }
    report.onEvent(
        new BatchEvent.Opened(devices.library(), devices.version(), device.pciAddress(), 1));
    ExitCode code = compress(ready.join());
    remote.tell(code == ExitCode.OK ? RemoteCompress.Finish.INSTANCE : new Stop());
    if (code != ExitCode.OK) {
      channel.awaitStop(ended);
      return code;
    }
    if (channel.await(ended).failure().isPresent()) {
      throw failure();
    }
    return code;
  }

  private ChannelException failure() {
    return new ChannelException(
        ExitCode.FAILURE, ended.join().failure().orElse("the service has ended"));
  }

  private ExitCode compress(Ready open) throws ChannelException {
    BlockWorker worker = BlockWorker.of(open.context(), open.sources(), open.destinations());
    ActorRef<FileEvent> events =
        channel.spawn(fileEvents(), "file-events", DispatcherSelector.defaultDispatcher());
    ActorRef<FileCommand> file =
        channel.spawn(
            FileCompression.create(job, List.of(worker), partials, events),
            "file",
            DispatcherSelector.blocking());
    try {
      channel.await(fileEnded);
    } catch (ChannelException e) {
      // After a signal or the engine's end: delete partial outputs at once, then wait for buffers.
      partials.close();
      file.tell(FileCommand.Cancel.INSTANCE);
      channel.awaitStop(fileEnded);
      if (!fileEnded.isDone()) {
        throw e;
      }
    }
    return report.exitCode();
  }

  private Behavior<RemoteCompress.Event> remoteEvents() {
    return Behaviors.receiveMessage(
        event -> {
          if (event instanceof Ready now) {
            ready.complete(now);
          } else {
            ended.complete((Ended) event);
          }
          return Behaviors.same();
        });
  }

  private Behavior<FileEvent> fileEvents() {
    return Behaviors.receiveMessage(
        event -> {
          report.onEvent(event);
          if (!(event instanceof FileEvent.Progress)) {
            fileEnded.complete(event);
          }
          return Behaviors.same();
        });
  }
}
