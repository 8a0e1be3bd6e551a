package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests hashes of lists of files with a real engine on the software DPU, against the JDK. */
@ExtendWith(FreshSoftDpu.class)
class HashBatchTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int PART = 1 << 20;

  @TempDir Path folder;

  private final ActorTestKit kit = ActorTestKit.create();
  private TestProbe<BatchEvent> probe;

  @BeforeEach
  void start() {
    probe = kit.createTestProbe();
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private ActorRef<FileBatch.Command> batch(int parallel, Algorithm algorithm, List<Path> files) {
    HashSettings settings = new HashSettings(Optional.empty(), parallel, algorithm, files);
    return kit.spawn(
        HashBatch.create(settings, PartialFiles.create(), probe.getRef()),
        DispatcherSelector.blocking());
  }

  /** Returns the results. The indexes must be in order, and the engine must close everything. */
  private List<HashEvent> results(int parallel, Algorithm algorithm, List<Path> files) {
    ActorRef<FileBatch.Command> batch = batch(parallel, algorithm, files);
    List<HashEvent> results = new ArrayList<>();
    BatchEvent.Ended ended = untilEnd(batch, results);
    assertThat(ended.failure()).isEmpty();
    assertThat(results)
        .extracting(HashEvent::index)
        .containsExactlyElementsOf(IntStream.range(0, files.size()).boxed().toList());
    return results;
  }

  private BatchEvent.Ended untilEnd(ActorRef<FileBatch.Command> batch, List<HashEvent> results) {
    while (true) {
      BatchEvent event = probe.receiveMessage(LIMIT);
      if (event instanceof BatchEvent.Ended ended) {
        probe.expectTerminated(batch);
        assertThat(ended.census()).isEqualTo("empty");
        assertThat(ended.clean()).isTrue();
        return ended;
      }
      if (event instanceof HashEvent result && !(event instanceof HashEvent.Progress)) {
        results.add(result);
      }
    }
  }

  private Path file(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(folder.resolve(name), content);
  }

  private static String digest(Algorithm algorithm, Path file) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance(algorithm.standardName()).digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"SHA1, 1", "SHA256, 3", "SHA512, 4"})
  void eachSizeHasTheDigestOfTheJdk(Algorithm algorithm, int parallel) throws IOException {
    int[] sizes = {
      0, 1, 64, PART - 129, PART - 128, PART - 64, PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 7
    };
    List<Path> files = new ArrayList<>();
    for (int size : sizes) {
      files.add(file("f" + size, size));
    }
    List<HashEvent> results = results(parallel, algorithm, files);
    for (int i = 0; i < sizes.length; i++) {
      assertThat(results.get(i))
          .isEqualTo(new HashEvent.Done(i, sizes[i], digest(algorithm, files.get(i))));
    }
  }

  /** The first file takes longest, but its result is first. */
  @Test
  void theResultsHaveTheOrderOfTheFiles() throws IOException {
    FreshSoftDpu.DEVICE.faults("sha-partial-hash:delay=20ms");
    List<Path> files = new ArrayList<>(List.of(file("long", 3 * PART)));
    for (int i = 0; i < 9; i++) {
      files.add(file("short" + i, i));
    }
    assertThat(results(3, Algorithm.SHA256, files)).hasOnlyElementsOfType(HashEvent.Done.class);
  }

  @Test
  void aFailureConcernsOneFile() throws IOException {
    FreshSoftDpu.DEVICE.faults("sha-partial-hash:fail=IO_FAILED:nth=2");
    List<Path> files =
        List.of(
            file("broken", 3 * PART),
            folder.resolve("missing"),
            Files.createDirectory(folder.resolve("folder")),
            file("whole", 3 * PART + 1));
    List<HashEvent> results = results(1, Algorithm.SHA256, files);
    FileFailure broken = ((HashEvent.Failed) results.get(0)).failure();
    assertThat(broken.kind()).isEqualTo(Kind.TASK);
    assertThat(broken.toString()).contains("broken: block 1: ", "IO_FAILED");
    assertThat(((HashEvent.Failed) results.get(1)).failure().message())
        .isEqualTo("cannot be read: no such file");
    assertThat(((HashEvent.Failed) results.get(2)).failure().message()).isEqualTo("is a directory");
    assertThat(results.get(3))
        .isEqualTo(new HashEvent.Done(3, 3 * PART + 1, digest(Algorithm.SHA256, files.get(3))));
  }

  @Test
  void cancelEndsTheFilesAndTheBatch() throws IOException {
    FreshSoftDpu.DEVICE.faults("sha-partial-hash:delay=300ms");
    ActorRef<FileBatch.Command> batch =
        batch(2, Algorithm.SHA256, List.of(file("a", 9 * PART), file("b", 9 * PART), file("c", 1)));
    assertThat(probe.receiveMessage(LIMIT)).isInstanceOf(BatchEvent.Opened.class);
    probe.expectMessageClass(HashEvent.Progress.class, LIMIT);
    batch.tell(FileBatch.Cancel.INSTANCE);
    List<HashEvent> results = new ArrayList<>();
    BatchEvent.Ended ended = untilEnd(batch, results);
    assertThat(ended.failure().orElseThrow().kind()).isEqualTo(Kind.CANCELLED);
    assertThat(results)
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(((HashEvent.Failed) each).failure().kind()).isEqualTo(Kind.CANCELLED));
  }

  @Test
  void anUnknownDeviceEndsTheBatch() throws IOException {
    HashSettings settings =
        new HashSettings(Optional.of("0000:ff:00.0"), 1, Algorithm.SHA1, List.of(file("a", 1)));
    ActorRef<FileBatch.Command> batch =
        kit.spawn(HashBatch.create(settings, PartialFiles.create(), probe.getRef()));
    BatchEvent.Ended ended = untilEnd(batch, new ArrayList<>());
    assertThat(ended.failure().orElseThrow().kind()).isEqualTo(Kind.DEVICE);
  }
}
