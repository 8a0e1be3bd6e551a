package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the pipeline with simulated contexts and real registered memory. */
@ExtendWith(FreshSoftDpu.class)
class FilePipelineTest {
  private static final int BLOCK = 1000;
  private static final int WINDOW = 4;

  @TempDir Path folder;

  private final PartialFiles partials = PartialFiles.create();
  private RunningSystem system;
  private BufferPool sources;
  private BufferPool destinations;
  private TestProbe<CompressProtocol.Command> device;
  private TestProbe<FileEvent> events;
  private byte[] content;

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

  private Path input() {
    return folder.resolve("in");
  }

  private Path output() {
    return folder.resolve("in.gz");
  }

  private ActorRef<FileCommand> compress(ActorRef<CompressProtocol.Command> context) {
    FileJob.Compress job = new FileJob.Compress(input(), output(), BLOCK, false, false);
    return system.kit.spawn(
        FileCompression.create(
            job,
            List.of(BlockWorker.of(context, sources, destinations)),
            partials,
            events.getRef()),
        DispatcherSelector.blocking());
  }

  private TaskRequest next() {
    return (TaskRequest) device.receiveMessage();
  }

  private static void complete(TaskRequest request) {
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

  private static void inflate(TaskRequest request) {
    byte[] in = new byte[request.src().length()];
    request.src().bytes().clear().get(in);
    Inflater inflater = new Inflater(true);
    inflater.setInput(in);
    byte[] out = new byte[BLOCK];
    try {
      request.dst().length(inflater.inflate(out));
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    } finally {
      inflater.end();
    }
    request.dst().bytes().clear().put(out, 0, request.dst().length());
    CRC32 crc = new CRC32();
    crc.update(out, 0, request.dst().length());
    request
        .replyTo()
        .tell(
            new TaskReply.Completed(
                request.tag(), request.src(), request.dst(), (int) crc.getValue(), 0));
  }

  private static void busy(TaskRequest request) {
    request.busy(0);
  }

  private static void fail(TaskRequest request) {
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

  private FileEvent end() {
    FileEvent event = events.receiveMessage();
    while (event instanceof FileEvent.Progress) {
      event = events.receiveMessage();
    }
    return event;
  }

  private FileFailure failure() {
    FileEvent end = end();
    assertThat(end).isInstanceOf(FileEvent.Failed.class);
    return ((FileEvent.Failed) end).failure();
  }

  private void outputIsWhole() throws IOException {
    assertThat(end()).isInstanceOf(FileEvent.Done.class);
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(output()))) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  private void onlyTheInputIsThere() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(input());
    }
  }

  @Test
  void answersInAnyOrderAreWrittenInOrder() throws IOException {
    compress(device.getRef());
    Random random = new Random(3);
    List<TaskRequest> held = new ArrayList<>();
    for (int answered = 0; answered < 11; answered++) {
      while (held.size() < WINDOW && answered + held.size() < 11 && windowIsOpen(held)) {
        held.add(next());
      }
      Collections.shuffle(held, random);
      complete(held.remove(0));
    }
    outputIsWhole();
  }

  /**
   * Returns whether the pipeline may send a block: the window starts at the oldest unanswered
   * block.
   */
  private boolean windowIsOpen(List<TaskRequest> held) {
    long oldest = held.stream().mapToLong(TaskRequest::tag).min().orElse(nextTag);
    boolean open = nextTag < oldest + WINDOW;
    if (open) {
      nextTag++;
    }
    return open;
  }

  private long nextTag;

  @Test
  void noMoreIsInFlightThanTheWindow() {
    ActorRef<FileCommand> file = compress(device.getRef());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    assertThat(held).extracting(TaskRequest::tag).containsExactly(0L, 1L, 2L, 3L);
    device.expectNoMessage(Duration.ofMillis(50));
    file.tell(FileCommand.Cancel.INSTANCE);
    held.forEach(FilePipelineTest::complete);
    assertThat(failure().kind()).isEqualTo(Kind.CANCELLED);
  }

  @Test
  void requestsThatABusyContextRefusedAreSentAgainInOrder() throws IOException {
    compress(device.getRef());
    List<TaskRequest> first = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    busy(first.get(2));
    busy(first.get(1));
    busy(first.get(3));
    complete(first.get(0));
    List<Long> tags = new ArrayList<>();
    while (tags.size() < 10) {
      TaskRequest request = next();
      if (tags.isEmpty() && request.tag() != 1) {
        // The timer may have resent one of them before the answers to the others arrived.
        busy(request);
        continue;
      }
      tags.add(request.tag());
      complete(request);
    }
    assertThat(tags).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    outputIsWhole();
  }

  @Test
  void aFailedBlockEndsTheFileWhenAllBuffersAreBack() throws IOException {
    ActorRef<FileCommand> file = compress(device.getRef());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    fail(held.get(2));
    events.expectNoMessage(Duration.ofMillis(50));
    complete(held.get(0));
    busy(held.get(1));
    fail(held.get(3));
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.block()).hasValue(2);
    assertThat(failure.device()).get().extracting(DocaError::code).isEqualTo(DocaCode.IO_FAILED);
    assertThat(failure.toString()).contains("in: block 2: ", "DOCA_ERROR_IO_FAILED");
    events.expectTerminated(file);
    onlyTheInputIsThere();
  }

  @Test
  void buffersThatTheDeviceRetainsAreNotReleased() throws IOException {
    compress(device.getRef());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    TaskRequest kept = held.get(0);
    kept.replyTo()
        .tell(
            new TaskReply.Failed(
                kept.tag(),
                DocaError.of("request", DocaCode.TIME_OUT.value(), "a test"),
                kept.src(),
                kept.dst(),
                TaskReply.Ownership.RETAINED));
    held.subList(1, WINDOW).forEach(FilePipelineTest::complete);
    assertThat(failure().device()).get().extracting(DocaError::code).isEqualTo(DocaCode.TIME_OUT);
    onlyTheInputIsThere();
    assertThat(kept.src().isLeased()).isTrue();
    Stream.of(kept.src(), kept.dst()).forEach(Buffer::release);
  }

  @Test
  void cancellingDeletesTheOutputAtOnceAndWaitsForTheDevice() throws IOException {
    ActorRef<FileCommand> file = compress(device.getRef());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    file.tell(FileCommand.Cancel.INSTANCE);
    file.tell(FileCommand.Cancel.INSTANCE);
    events.awaitAssert(
        () -> {
          onlyTheInputIsThere();
          return true;
        });
    held.forEach(FilePipelineTest::complete);
    assertThat(failure().kind()).isEqualTo(Kind.CANCELLED);
    events.expectTerminated(file);
  }

  @Test
  void aContextThatEndsIsAFailure() throws IOException {
    List<TaskRequest> held = Collections.synchronizedList(new ArrayList<>());
    Behavior<CompressProtocol.Command> mortal =
        Behaviors.receiveMessage(
            m -> {
              held.add((TaskRequest) m);
              return held.size() == WINDOW ? Behaviors.stopped() : Behaviors.same();
            });
    compress(system.kit.spawn(mortal));
    events.awaitAssert(
        () -> {
          assertThat(held).hasSize(WINDOW);
          onlyTheInputIsThere();
          return true;
        });
    held.forEach(FilePipelineTest::complete);
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.message()).contains("ended");
    onlyTheInputIsThere();
  }

  @Test
  void aPoolThatOthersUseIsWaitedFor() throws IOException {
    List<Buffer> taken = IntStream.range(0, WINDOW).mapToObj(i -> destinations.lease()).toList();
    compress(device.getRef());
    device.expectNoMessage(Duration.ofMillis(50));
    taken.forEach(Buffer::release);
    for (int i = 0; i < 11; i++) {
      complete(next());
    }
    outputIsWhole();
  }

  @Test
  void aMissingInputNeedsNoDevice() throws IOException {
    Files.delete(input());
    compress(device.getRef());
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.toString()).contains("in: cannot be read: no such file");
    device.expectNoMessage(Duration.ofMillis(20));
  }

  @Test
  void aFileThatIsTruncatedWhileItIsReadIsAFailure() throws IOException {
    compress(device.getRef());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    truncate(input(), 6 * BLOCK);
    held.forEach(FilePipelineTest::complete);
    complete(next());
    complete(next());
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.toString()).contains("in: truncated during the read", "6000", "10001");
    onlyTheInputIsThere();
  }

  @Test
  void aFileThatLosesItsLastMembersWhileItIsReadIsAFailure() throws IOException {
    content = Arrays.copyOf(content, 10 * BLOCK);
    Files.write(input(), content);
    compress(device.getRef());
    IntStream.range(0, 10).forEach(i -> complete(next()));
    outputIsWhole();
    Path packed = Files.move(output(), folder.resolve("packed"));
    long memberBytes = Files.size(packed) / 10;
    FileJob.Decompress job =
        new FileJob.Decompress(packed, folder.resolve("back"), Long.MAX_VALUE, false);
    system.kit.spawn(
        FileDecompression.create(
            job,
            List.of(
                BlockWorker.of(
                    device.getRef(), /* sources= */ destinations, /* destinations= */ sources)),
            partials,
            events.getRef()),
        DispatcherSelector.blocking());
    List<TaskRequest> held = IntStream.range(0, WINDOW).mapToObj(i -> next()).toList();
    truncate(packed, 6 * memberBytes);
    held.forEach(FilePipelineTest::inflate);
    inflate(next());
    inflate(next());
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.toString()).contains("packed: truncated during the read");
    assertThat(folder.resolve("back")).doesNotExist();
  }

  private static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  @Test
  void anEmptyFileNeedsNoDevice() throws IOException {
    content = new byte[0];
    Files.write(input(), content);
    compress(device.getRef());
    outputIsWhole();
    device.expectNoMessage(Duration.ofMillis(20));
  }
}
