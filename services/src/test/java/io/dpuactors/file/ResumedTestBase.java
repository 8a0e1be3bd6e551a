package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.file.FileEvent.Done;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Base of tests of outputs that a later process continues, with a simulated context that fails. */
@ExtendWith(FreshSoftDpu.class)
abstract class ResumedTestBase {
  static final int BLOCK = 1000;
  static final int BLOCKS = 11;
  static final int WINDOW = 4;

  @TempDir Path folder;

  private final Logger log = (Logger) LoggerFactory.getLogger(PartialFile.class);
  final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
  private RunningSystem system;
  private BufferPool sources;
  private BufferPool destinations;
  int computed;

  @BeforeEach
  void start() throws IOException {
    log.setAdditive(false);
    log.addAppender(warnings);
    warnings.start();
    system = RunningSystem.create();
    sources = system.pool(WINDOW, (int) GzipMember.maxPayloadBytes(BLOCK));
    destinations = system.pool(WINDOW, (int) GzipMember.maxPayloadBytes(BLOCK));
    byte[] content = new byte[(BLOCKS - 1) * BLOCK + 1];
    new Random(1).nextBytes(content);
    Files.write(path("in"), content);
  }

  @AfterEach
  void everyLeaseIsBackAndTheCensusEmpty() {
    assertThat(sources.available()).isEqualTo(WINDOW);
    assertThat(destinations.available()).isEqualTo(WINDOW);
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
    log.detachAppender(warnings);
    log.setAdditive(true);
  }

  final Path path(String name) {
    return folder.resolve(name);
  }

  final Path part() {
    return path(".out.dpu.part");
  }

  final Path journal() {
    return path(".out.dpu.journal");
  }

  final FileJob.Compress compress(int blockBytes) {
    return new FileJob.Compress(path("in"), path("out"), blockBytes, false, false);
  }

  /** Runs a job as a new process does. The context computes some blocks and fails the rest. */
  final FileEvent run(FileJob job, int blocks) {
    return run(job, PartialFiles.resumable(), blocks);
  }

  final FileEvent run(FileJob job, PartialFiles partials, int blocks) {
    computed = 0;
    TestProbe<FileEvent> events = system.kit.createTestProbe();
    system.kit.spawn(behavior(job, partials, blocks, events.getRef()));
    FileEvent event = events.receiveMessage();
    while (event instanceof FileEvent.Progress) {
      event = events.receiveMessage();
    }
    return event;
  }

  private Behavior<FileCommand> behavior(
      FileJob job, PartialFiles partials, int blocks, ActorRef<FileEvent> events) {
    Behavior<CompressProtocol.Command> device =
        Behaviors.receiveMessage(
            m -> {
              answer((TaskRequest) m, blocks);
              return Behaviors.same();
            });
    List<BlockWorker> workers =
        List.of(BlockWorker.of(system.kit.spawn(device), sources, destinations));
    return job instanceof FileJob.Compress compress
        ? FileCompression.create(compress, workers, partials, events)
        : FileDecompression.create((FileJob.Decompress) job, workers, partials, events);
  }

  private void answer(TaskRequest request, int blocks) {
    if (computed == blocks) {
      DocaError error = DocaError.of("fleet", DocaCode.TIME_OUT.value(), "a test");
      request.failed(error, TaskReply.Ownership.RETURNED);
      return;
    }
    computed++;
    byte[] in = new byte[request.src().length()];
    request.src().bytes().clear().get(in);
    ByteBuffer out = request.dst().bytes().clear();
    boolean deflates = request instanceof CompressProtocol.Deflate;
    request.dst().length(deflates ? deflate(in, out) : inflate(in, out));
    CRC32 crc = new CRC32();
    crc.update(deflates ? ByteBuffer.wrap(in) : out.flip());
    request.completed((int) crc.getValue(), 0);
  }

  private static int deflate(byte[] in, ByteBuffer out) {
    Deflater deflater = new Deflater(1, true);
    deflater.setInput(in);
    deflater.finish();
    int length = deflater.deflate(out);
    deflater.end();
    return length;
  }

  private static int inflate(byte[] in, ByteBuffer out) {
    Inflater inflater = new Inflater(true);
    inflater.setInput(in);
    try {
      return inflater.inflate(out);
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    } finally {
      inflater.end();
    }
  }

  final List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  final byte[] wholeOutput(FileJob job) throws IOException {
    assertThat(run(job, BLOCKS)).isInstanceOf(Done.class);
    byte[] whole = Files.readAllBytes(path("out"));
    Files.delete(path("out"));
    return whole;
  }

  final FileFailure interrupted(FileJob job, int blocks) throws IOException {
    FileEvent end = run(job, blocks);
    assertThat(end).isInstanceOf(FileEvent.Failed.class);
    assertThat(names()).contains(".out.dpu.part", ".out.dpu.journal").doesNotContain("out");
    return ((FileEvent.Failed) end).failure();
  }

  /** Changes one byte of a file; a negative offset counts from its end. */
  static void change(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset < 0 ? bytes.length + offset : offset] ^= 1;
    Files.write(file, bytes);
  }
}
