package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of the pipeline with simulated contexts and real registered memory. */
@ExtendWith(FreshSoftDpu.class)
abstract class PipelineTestBase {
  static final int BLOCK = 1000;
  static final int WINDOW = 4;

  @TempDir Path folder;

  final PartialFiles partials = PartialFiles.create();
  RunningSystem system;
  BufferPool sources;
  BufferPool destinations;
  TestProbe<CompressProtocol.Command> device;
  TestProbe<FileEvent> events;
  byte[] content;

  @BeforeEach
  void start() throws IOException {
    system = RunningSystem.create();
    sources = system.pool(WINDOW, BLOCK);
    destinations = system.pool(WINDOW, (int) GzipMember.maxPayloadBytes(BLOCK));
    device = system.kit.createTestProbe();
    events = system.kit.createTestProbe();
    content = new byte[10 * BLOCK + 1];
    new Random(1).nextBytes(content);
    Files.write(input(), content);
  }

  @AfterEach
  void everyLeaseIsBackAndTheCensusEmpty() {
    assertThat(sources.available()).isEqualTo(WINDOW);
    assertThat(destinations.available()).isEqualTo(WINDOW);
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }

  final Path input() {
    return folder.resolve("in");
  }

  final Path output() {
    return folder.resolve("in.gz");
  }

  final ActorRef<FileCommand> compress(ActorRef<CompressProtocol.Command> context) {
    FileJob.Compress job = new FileJob.Compress(input(), output(), BLOCK, false, false);
    return system.kit.spawn(
        FileCompression.create(
            job,
            List.of(BlockWorker.of(context, sources, destinations)),
            partials,
            events.getRef()),
        DispatcherSelector.blocking());
  }

  final TaskRequest next() {
    return (TaskRequest) device.receiveMessage();
  }

  static void complete(TaskRequest request) {
    byte[] in = new byte[request.src().length()];
    request.src().bytes().clear().get(in);
    CRC32 crc = new CRC32();
    crc.update(in);
    Deflater deflater = new Deflater(1, true);
    deflater.setInput(in);
    deflater.finish();
    int length = deflater.deflate(request.dst().bytes().clear());
    deflater.end();
    request.dst().length(length);
    request
        .replyTo()
        .tell(
            new TaskReply.Completed(
                request.tag(), request.src(), request.dst(), (int) crc.getValue(), 0));
  }

  static void busy(TaskRequest request) {
    request.busy(0);
  }

  static void fail(TaskRequest request) {
    request
        .replyTo()
        .tell(
            new TaskReply.Failed(
                request.tag(),
                DocaError.of("doca_task", DocaCode.IO_FAILED.value(), "a test"),
                request.src(),
                request.dst(),
                TaskReply.Ownership.RETURNED));
  }

  final FileEvent end() {
    FileEvent event = events.receiveMessage();
    while (event instanceof FileEvent.Progress) {
      event = events.receiveMessage();
    }
    return event;
  }

  final FileFailure failure() {
    FileEvent end = end();
    assertThat(end).isInstanceOf(FileEvent.Failed.class);
    return ((FileEvent.Failed) end).failure();
  }

  final void outputIsWhole() throws IOException {
    assertThat(end()).isInstanceOf(FileEvent.Done.class);
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(output()))) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }
}
