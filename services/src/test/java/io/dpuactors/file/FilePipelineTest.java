package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;

/** Tests the order of blocks, the window, and busy contexts. */
class FilePipelineTest extends PipelineTestBase {
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
    held.forEach(PipelineTestBase::complete);
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
  void anEmptyFileNeedsNoDevice() throws IOException {
    content = new byte[0];
    Files.write(input(), content);
    compress(device.getRef());
    outputIsWhole();
    device.expectNoMessage(Duration.ofMillis(20));
  }
}
