package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.dpuactors.file.FileEvent.Done;
import io.dpuactors.file.FileFailure.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the part of an output that a later process continues: signals, locks, links and names. */
class ResumedPartTest extends ResumedTestBase {
  @Test
  void aCancelledFileLeavesNothing() throws Exception {
    interrupted(compress(BLOCK), 5);
    PartialFiles partials = PartialFiles.resumable();
    PartialFile file = partials.begin(compress(BLOCK));
    assertThat(file.resumed().blocks()).isEqualTo(5);
    partials.close();
    assertThat(names()).containsExactly("in");
    file.discard();
  }

  /** The warning comes from the check of the earlier blocks, which may last for minutes. */
  @Test
  void aSignalDoesNotWaitForTheCheckOfEarlierBlocks() throws Exception {
    interrupted(compress(BLOCK), 5);
    change(part(), -1);
    PartialFiles partials = PartialFiles.resumable();
    List<Boolean> ends = new ArrayList<>();
    warnings.addFilter(
        new Filter<>() {
          @Override
          public FilterReply decide(ILoggingEvent event) {
            ends.add(endsSoon(partials::close));
            return FilterReply.NEUTRAL;
          }
        });
    partials.begin(compress(BLOCK));
    assertThat(ends).containsExactly(true);
    assertThat(names()).containsExactly("in");
  }

  private static boolean endsSoon(Runnable work) {
    Thread thread = new Thread(work, "signal");
    thread.start();
    try {
      thread.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return !thread.isAlive();
  }

  /** A process was killed after the output had its name, and before the part's name was deleted. */
  @Test
  void anOutputThatIsAlsoThePartStaysWhole() throws Exception {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Files.write(part(), whole);
    Files.createLink(path("out"), part());
    Files.setLastModifiedTime(path("in"), FileTime.fromMillis(1));
    FileJob again = new FileJob.Compress(path("in"), path("out"), BLOCK, false, true);
    assertThat(run(again, 2)).isInstanceOf(FileEvent.Failed.class);
    assertThat(path("out")).hasBinaryContent(whole);
    assertThat(run(again, BLOCKS)).isInstanceOf(Done.class);
    assertThat(path("out")).hasBinaryContent(whole);
    assertThat(names()).containsExactly("in", "out");
  }

  @Test
  void twoJobsDoNotWriteTheSameOutput() throws Exception {
    try (PartialFiles partials = PartialFiles.resumable()) {
      partials.begin(compress(BLOCK));
      FileEvent end = run(compress(BLOCK), BLOCKS);
      assertThat(end).isInstanceOf(FileEvent.Failed.class);
      FileFailure failure = ((FileEvent.Failed) end).failure();
      assertThat(failure.kind()).isEqualTo(Kind.OUTPUT);
      assertThat(failure.message()).contains("is the output of another job of this process");
      assertThat(part()).exists();
    }
  }

  @Test
  void aLongNameHasNoJournal() {
    Path longest = path("x".repeat(255));
    FileJob job = new FileJob.Compress(path("in"), longest, BLOCK, false, false);
    assertThat(run(job, BLOCKS)).isInstanceOf(Done.class);
    assertThat(longest).exists();
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    Files.writeString(path("victim"), "content");
    Files.createSymbolicLink(part(), path("victim"));
    FileEvent end = run(compress(BLOCK), BLOCKS);
    assertThat(end).isInstanceOf(FileEvent.Failed.class);
    assertThat(path("victim")).hasContent("content");
  }

  @Test
  void anOrdinarySetKeepsNothing() throws Exception {
    FileEvent event = run(compress(BLOCK), PartialFiles.create(), 5);
    assertThat(event).isInstanceOf(FileEvent.Failed.class);
    assertThat(names()).containsExactly("in");
  }
}
