package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests failures and cancellation of the pipeline. */
class FilePipelineFailureTest extends PipelineTestBase {
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

  private void onlyTheInputIsThere() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(input());
    }
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
    held.subList(1, WINDOW).forEach(PipelineTestBase::complete);
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
    held.forEach(PipelineTestBase::complete);
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
    held.forEach(PipelineTestBase::complete);
    FileFailure failure = failure();
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.message()).contains("ended");
    onlyTheInputIsThere();
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
    held.forEach(PipelineTestBase::complete);
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
    held.forEach(FilePipelineFailureTest::inflate);
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
}
