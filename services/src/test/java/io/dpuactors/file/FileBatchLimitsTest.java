package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the choice of a device for a list of files, and its limits. */
class FileBatchLimitsTest extends FileBatchTestBase {
  @Test
  void largeMembersAreInFlightOneByOneWhenMemoryIsShort() throws IOException {
    byte[] content = text(5 << 20);
    file("a", content);
    run(
        1,
        2,
        new FileJob.Compress(folder.resolve("a"), folder.resolve("a.gz"), 2 << 20, false, false));
    assertThat(ends(run(2, 4, decompress("a.gz"))))
        .singleElement()
        .isInstanceOf(FileEvent.Done.class);
    assertThat(folder.resolve("a.gz.out")).hasBinaryContent(content);
  }

  @Test
  void membersBeyondTheLimitAreRefused() throws IOException {
    file("a", text(3 * BLOCK));
    run(1, 1, compress("a"));
    FileJob job =
        new FileJob.Decompress(folder.resolve("a.gz"), folder.resolve("b"), BLOCK - 1, false);
    FileFailure failure = failure(run(1, 1, job));
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.message()).contains("too large", String.valueOf(BLOCK - 1));
  }

  private static FileFailure notTried(List<BatchEvent> events) {
    assertThat(events).hasSize(1);
    return ((BatchEvent.Ended) events.get(0)).failure().orElseThrow();
  }

  @Test
  void anUnknownDeviceIsNamedWithThoseThereAre() throws IOException {
    file("a", text(1));
    FileFailure failure = notTried(run(Optional.of("0000:aa:00.0"), 1, 1, compress("a")));
    assertThat(failure.kind()).isEqualTo(Kind.DEVICE);
    assertThat(failure.message()).contains("no device 0000:aa:00.0", "0000:03:00.0");
  }

  @Test
  void theShortFormOfAnAddressWillDo() throws IOException {
    file("a", text(1));
    assertThat(run(Optional.of("03:00.1"), 1, 1, compress("a")).get(0))
        .extracting(e -> ((BatchEvent.Opened) e).device())
        .isEqualTo("0000:03:00.1");
  }

  @Test
  void limitsAreNamed() throws IOException {
    file("a", text(1));
    FileFailure tasks = notTried(run(1, 100_000, compress("a")));
    assertThat(tasks.kind()).isEqualTo(Kind.LIMIT);
    assertThat(tasks.message()).contains("100000", "8192");
    FileJob job =
        new FileJob.Compress(folder.resolve("a"), folder.resolve("b"), 128 << 20, false, false);
    FileFailure block = notTried(run(1, 1, job));
    assertThat(block.kind()).isEqualTo(Kind.LIMIT);
    assertThat(block.message()).contains("134217728");
  }

  @Test
  void aDeviceThatCannotDeflateHasItsFailure() throws IOException {
    file("a", text(1));
    FreshSoftDpu.DEVICE.profile("bluefield3");
    FileFailure failure = notTried(run(1, 1, compress("a")));
    assertThat(failure.kind()).isEqualTo(Kind.DEVICE);
    assertThat(failure.message()).contains("compress (deflate)");
  }

  @Test
  void limitsOfCopiesAreNamed() throws IOException {
    file("a", text(1));
    FileFailure tasks = notTried(run(1, 10_000_000, copy("a")));
    assertThat(tasks.kind()).isEqualTo(Kind.LIMIT);
    assertThat(tasks.message()).contains("10000000 blocks in flight are beyond");
    FreshSoftDpu.DEVICE.profile("bluefield2");
    FileJob job =
        new FileJob.Copy(folder.resolve("a"), folder.resolve("b"), (2 << 20) + 1, false, false);
    FileFailure block = notTried(run(1, 1, job));
    assertThat(block.kind()).isEqualTo(Kind.LIMIT);
    assertThat(block.message()).contains("2097153 bytes", "limit of 2097152 bytes");
  }

  @Test
  void copiesAndCompressionsAreBatchesOfTheirOwn() {
    assertThatThrownBy(
            () -> new BatchSettings(Optional.empty(), 1, 1, 1, List.of(copy("a"), compress("a"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one kind of context");
  }
}
