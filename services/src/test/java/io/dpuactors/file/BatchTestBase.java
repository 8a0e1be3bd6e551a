package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests that run lists of files in a folder, with real engines on the software DPU. */
@ExtendWith(FreshSoftDpu.class)
abstract class BatchTestBase {
  static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path folder;

  final PartialFiles partials = PartialFiles.create();
  ActorTestKit kit = ActorTestKit.create();

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
    partials.close();
  }

  final ActorRef<FileBatch.Command> batch(TestProbe<BatchEvent> probe, BatchSettings settings) {
    return kit.spawn(
        FileBatch.create(settings, partials, probe.getRef()), DispatcherSelector.blocking());
  }

  /** Runs a batch to its end, and returns all events. */
  final List<BatchEvent> run(BatchSettings settings) {
    TestProbe<BatchEvent> probe = kit.createTestProbe();
    return untilEnd(probe, batch(probe, settings));
  }

  /** Returns the events of a batch up to its end, which must be clean. */
  static List<BatchEvent> untilEnd(TestProbe<BatchEvent> probe, ActorRef<FileBatch.Command> batch) {
    List<BatchEvent> events = new ArrayList<>();
    BatchEvent event;
    do {
      event = probe.receiveMessage(LIMIT);
      events.add(event);
    } while (!(event instanceof BatchEvent.Ended));
    probe.expectTerminated(batch);
    assertThat(((BatchEvent.Ended) event).census()).isEqualTo("empty");
    assertThat(((BatchEvent.Ended) event).clean()).isTrue();
    return events;
  }

  static BatchEvent.Ended ended(List<BatchEvent> events) {
    return (BatchEvent.Ended) events.get(events.size() - 1);
  }

  /** Returns the last event of each file. */
  static List<FileEvent> ends(List<BatchEvent> events) {
    return events.stream()
        .filter(e -> e instanceof FileEvent && !(e instanceof FileEvent.Progress))
        .map(FileEvent.class::cast)
        .toList();
  }

  /** Returns the failure of the only file. */
  static FileFailure failure(List<BatchEvent> events) {
    assertThat(ends(events)).singleElement().isInstanceOf(FileEvent.Failed.class);
    return ((FileEvent.Failed) ends(events).get(0)).failure();
  }

  final Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  /** Returns the sorted names of all files. */
  final List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
