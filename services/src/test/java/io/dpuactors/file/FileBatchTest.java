package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.loop.BreakableLoops;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.testkit.typed.FishingOutcome;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests lists of files, and failures of devices and engines. */
class FileBatchTest extends FileBatchTestBase {
  @Test
  void aLostEngineFailsOneFileAndTheOthersContinue() throws IOException {
    kit.shutdownTestKit();
    kit =
        ActorTestKit.create(
            "breakable",
            ConfigFactory.parseString(BreakableLoops.CONFIG)
                .withFallback(ActorTestKit.applicationTestConfig()));
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=20ms");
    List<FileJob> jobs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      file("file" + i, text(50 * BLOCK));
      jobs.add(compress("file" + i));
    }
    TestProbe<BatchEvent> probe = kit.createTestProbe();
    ActorRef<FileBatch.Command> batch =
        batch(probe, new BatchSettings(Optional.empty(), 2, 1, 1 << 20, jobs));
    probe.expectMessageClass(BatchEvent.Opened.class);
    BreakableLoops.breakTurns("engine-1", 4);
    List<BatchEvent> events = untilEnd(probe, batch);
    assertThat(((BatchEvent.Ended) events.get(events.size() - 1)).failure()).isEmpty();
    assertThat(ends(events)).hasSize(3);
    assertThat(ends(events).get(0)).isInstanceOf(FileEvent.Failed.class);
    assertThat(ends(events).subList(1, 3)).hasOnlyElementsOfType(FileEvent.Done.class);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,4", "2,3"})
  void everySizeRoundTrips(int engines, int parallel) throws IOException {
    int[] sizes = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 50 * BLOCK + 7};
    List<FileJob> jobs = new ArrayList<>();
    List<FileJob> back = new ArrayList<>();
    for (int size : sizes) {
      file("f" + size, text(size));
      jobs.add(compress("f" + size));
      back.add(decompress("f" + size + ".gz"));
    }
    assertThat(ends(run(engines, parallel, jobs.toArray(FileJob[]::new))))
        .hasSize(sizes.length)
        .allSatisfy(e -> assertThat(e).isInstanceOf(FileEvent.Done.class));
    assertThat(ends(run(engines, parallel, back.toArray(FileJob[]::new))))
        .hasSize(sizes.length)
        .allSatisfy(e -> assertThat(e).isInstanceOf(FileEvent.Done.class));
    for (int size : sizes) {
      assertThat(folder.resolve("f" + size + ".gz.out")).hasBinaryContent(text(size));
    }
  }

  @Test
  void progressEndsWithTheWholeFile() throws IOException {
    file("a", text(20 * BLOCK));
    List<BatchEvent> events = run(1, 4, compress("a"));
    assertThat(events.get(0)).isInstanceOf(BatchEvent.Opened.class);
    List<Long> done =
        events.stream()
            .filter(FileEvent.Progress.class::isInstance)
            .map(e -> ((FileEvent.Progress) e).bytesDone())
            .toList();
    assertThat(done).isSorted().endsWith(20L * BLOCK);
  }

  @Test
  void oneBadFileDoesNotStopTheOthers() throws IOException {
    file("a", text(10));
    file("c", text(10));
    List<FileEvent> ends = ends(run(1, 2, compress("a"), compress("b"), compress("c")));
    assertThat(ends)
        .extracting(e -> e.getClass().getSimpleName())
        .containsExactly("Done", "Failed", "Done");
    assertThat(names()).containsExactly("a", "a.gz", "c", "c.gz");
  }

  @Test
  void verificationFindsACorruptBlock() throws IOException {
    file("a", text(10 * BLOCK));
    FreshSoftDpu.DEVICE.faults("compress-deflate:corrupt:nth=4");
    FileJob job =
        new FileJob.Compress(folder.resolve("a"), folder.resolve("a.gz"), BLOCK, true, false);
    FileFailure failure = failure(run(1, 3, job));
    assertThat(failure.kind()).isEqualTo(Kind.VERIFY);
    assertThat(failure.block()).hasValue(3);
    assertThat(names()).containsExactly("a");
  }

  @Test
  void aDeviceThatInflatesWronglyIsFoundByTheCpu() throws IOException {
    file("a", text(10 * BLOCK));
    run(1, 3, compress("a"));
    FreshSoftDpu.DEVICE.faults("decompress-deflate:corrupt:nth=4");
    assertThat(failure(run(1, 3, decompress("a.gz"))).kind()).isEqualTo(Kind.VERIFY);
    assertThat(names()).containsExactly("a", "a.gz");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void aFailingTaskAnywhereLeavesNothing(int nth) throws IOException {
    file("a", text(10 * BLOCK));
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail=IO_FAILED:nth=" + nth);
    FileFailure failure = failure(run(1, 3, compress("a")));
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.block()).hasValue(nth - 1);
    assertThat(failure.device().orElseThrow().code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(names()).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"compress-deflate:again=3:every=2", "compress-deflate:delay=20ms:every=3"})
  void aDeviceThatIsSlowOrFullIsNoFailure(String faults) throws IOException {
    file("a", text(10 * BLOCK));
    FreshSoftDpu.DEVICE.faults(faults);
    assertThat(ends(run(1, 3, compress("a")))).singleElement().isInstanceOf(FileEvent.Done.class);
  }

  @Test
  void aDamagedMemberIsTheFilesFaultAndAFailedTaskTheDevices() throws IOException {
    file("a", text(10 * BLOCK));
    run(1, 3, compress("a"));
    FreshSoftDpu.DEVICE.faults("decompress-deflate:fail=IO_FAILED:nth=2");
    assertThat(failure(run(1, 3, decompress("a.gz"))).kind()).isEqualTo(Kind.TASK);
    FreshSoftDpu.DEVICE.clearFaults();
    byte[] packed = Files.readAllBytes(folder.resolve("a.gz"));
    packed[GzipMember.HEADER_BYTES + 100] ^= 0x10;
    file("a.gz", packed);
    assertThat(failure(run(1, 3, decompress("a.gz"))).kind()).isEqualTo(Kind.INPUT);
    assertThat(names()).containsExactly("a", "a.gz");
  }

  @Test
  void damageAnywhereIsAnErrorOrHarmless() throws IOException {
    byte[] content = text(3 * BLOCK);
    file("a", content);
    run(1, 3, compress("a"));
    byte[] packed = Files.readAllBytes(folder.resolve("a.gz"));
    Random random = new Random(9);
    List<FileJob> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      byte[] damaged = packed.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      file("d" + i + ".gz", damaged);
      jobs.add(decompress("d" + i + ".gz"));
    }
    for (FileEvent end : ends(run(1, 3, jobs.toArray(FileJob[]::new)))) {
      if (end instanceof FileEvent.Failed failed) {
        assertThat(failed.failure().kind()).as(failed.toString()).isEqualTo(Kind.INPUT);
        assertThat(end.job().output()).doesNotExist();
      } else {
        // Two header fields do not depend on the content: the modification time and the system.
        assertThat(end.job().output()).hasBinaryContent(content);
      }
    }
    assertThat(names()).noneMatch(n -> n.endsWith(".part"));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,4", "2,3"})
  void everySizeIsCopied(int engines, int parallel) throws IOException {
    int[] sizes = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 50 * BLOCK + 7};
    List<FileJob> jobs = new ArrayList<>();
    for (int size : sizes) {
      file("f" + size, text(size));
      jobs.add(copy("f" + size));
    }
    assertThat(ends(run(engines, parallel, jobs.toArray(FileJob[]::new))))
        .hasSize(sizes.length)
        .allSatisfy(e -> assertThat(e).isInstanceOf(FileEvent.Done.class));
    for (int size : sizes) {
      assertThat(folder.resolve("f" + size + ".copy")).hasBinaryContent(text(size));
    }
  }

  @Test
  void verificationFindsACorruptCopy() throws IOException {
    file("a", text(10 * BLOCK));
    FreshSoftDpu.DEVICE.faults("dma-memcpy:corrupt:nth=4");
    FileFailure failure = failure(run(1, 3, copy("a")));
    assertThat(failure.kind()).isEqualTo(Kind.VERIFY);
    assertThat(failure.block()).hasValue(3);
    assertThat(failure.message()).contains("CRC-32");
    assertThat(names()).containsExactly("a");
  }

  /** A failed copy fails the context. The next file uses the restarted context. */
  @Test
  void aFailedCopyLeavesNothingAndTheNextFileIsCopied() throws IOException {
    file("a", text(10 * BLOCK));
    file("b", text(10 * BLOCK));
    FreshSoftDpu.DEVICE.faults("dma-memcpy:fail=IO_FAILED:nth=5");
    List<FileEvent> ends = ends(run(1, 3, copy("a"), copy("b")));
    FileFailure failure = ((FileEvent.Failed) ends.get(0)).failure();
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.device().orElseThrow().code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(ends.get(1)).isInstanceOf(FileEvent.Done.class);
    assertThat(names()).containsExactly("a", "b", "b.copy");
    assertThat(folder.resolve("b.copy")).hasBinaryContent(text(10 * BLOCK));
  }

  /** The file's actor stops without a result after the batch was cancelled. */
  @Test
  void aCancelledBatchEndsAlthoughItsFileReportsNothing() throws IOException {
    file("a", text(BLOCK));
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1s");
    TestProbe<BatchEvent> probe = kit.createTestProbe();
    FileJob job = compress("a");
    ActorRef<FileBatch.Command> batch =
        batch(probe, new BatchSettings(Optional.empty(), 1, 1, 1 << 20, List.of(job)));
    Awaitility.await()
        .until(() -> FreshSoftDpu.DEVICE.faultCounters().getOrDefault("delayed", 0L) > 0);
    batch.tell(FileBatch.Cancel.INSTANCE);
    batch.tell(new BatchMessage.OfFile(new FileEvent.Progress(job, 0, 1))); // follows the cancel
    probe.fishForMessage(LIMIT, FileBatchTest::untilProgress);
    kit.system()
        .classicSystem()
        .actorSelection(batch.path().child("file-0").toString())
        .tell(PoisonPill.getInstance(), org.apache.pekko.actor.ActorRef.noSender());
    List<BatchEvent> events = untilEnd(probe, batch);
    assertThat(failure(events).message()).contains("without a result");
    assertThat(((BatchEvent.Ended) events.get(events.size() - 1)).failure().orElseThrow().kind())
        .isEqualTo(Kind.CANCELLED);
    assertThat(names()).containsExactly("a");
  }

  private static FishingOutcome untilProgress(BatchEvent event) {
    return event instanceof FileEvent.Progress
        ? FishingOutcomes.complete()
        : FishingOutcomes.continueAndIgnore();
  }
}
