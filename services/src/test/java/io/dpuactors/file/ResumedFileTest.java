package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.file.FileEvent.Done;
import io.dpuactors.file.FileFailure.Kind;
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
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Tests outputs that a later process continues, with a simulated context that fails. */
@ExtendWith(FreshSoftDpu.class)
class ResumedFileTest {
  private static final int BLOCK = 1000;
  private static final int BLOCKS = 11;
  private static final int WINDOW = 4;

  @TempDir Path folder;

  private final Logger log = (Logger) LoggerFactory.getLogger(PartialFile.class);
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
  private RunningSystem system;
  private BufferPool sources;
  private BufferPool destinations;
  private int computed;

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

  private void assertWarns(String why) {
    assertThat(warnings.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .endsWith(why);
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path part() {
    return path(".out.dpu.part");
  }

  private Path journal() {
    return path(".out.dpu.journal");
  }

  private FileJob.Compress compress(int blockBytes) {
    return new FileJob.Compress(path("in"), path("out"), blockBytes, false, false);
  }

  /** Runs a job as a new process does. The context computes some blocks and fails the rest. */
  private FileEvent run(FileJob job, int blocks) {
    computed = 0;
    TestProbe<FileEvent> events = system.kit.createTestProbe();
    system.kit.spawn(behavior(job, PartialFiles.resumable(), blocks, events.getRef()));
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

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private byte[] wholeOutput(FileJob job) throws IOException {
    assertThat(run(job, BLOCKS)).isInstanceOf(Done.class);
    byte[] whole = Files.readAllBytes(path("out"));
    Files.delete(path("out"));
    return whole;
  }

  private void assertContinues(FileJob job, long blocks, byte[] whole) throws IOException {
    FileEvent end = run(job, BLOCKS);
    assertThat(end).as("%s", end).isInstanceOf(Done.class);
    FileReport report = ((Done) end).report();
    assertThat(report.resumed().blocks()).isEqualTo(blocks);
    assertThat(report.blocks()).isEqualTo(BLOCKS);
    assertThat(computed).as("each block counts once").isEqualTo((int) (BLOCKS - blocks));
    assertThat(report.bytesIn()).isEqualTo(Files.size(job.input()));
    assertThat(report.bytesOut()).isEqualTo(whole.length);
    assertThat(path("out")).hasBinaryContent(whole);
    assertThat(names()).doesNotContain(".out.dpu.part", ".out.dpu.journal");
  }

  private FileFailure interrupted(FileJob job, int blocks) throws IOException {
    FileEvent end = run(job, blocks);
    assertThat(end).isInstanceOf(FileEvent.Failed.class);
    assertThat(names()).contains(".out.dpu.part", ".out.dpu.journal").doesNotContain("out");
    return ((FileEvent.Failed) end).failure();
  }

  @Test
  void aCompressionContinuesAfterItsCompleteBlocks() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    assertThat(interrupted(compress(BLOCK), 3).kind()).isEqualTo(Kind.TASK);
    interrupted(compress(BLOCK), 2);
    assertThat(computed).isEqualTo(2);
    assertContinues(compress(BLOCK), 5, whole);
    assertThat(warnings.list).isEmpty();
  }

  @Test
  void aDecompressionContinuesAfterItsCompleteBlocks() throws IOException {
    assertThat(run(compress(BLOCK), BLOCKS)).isInstanceOf(Done.class);
    Files.move(path("out"), path("in.gz"));
    FileJob job = new FileJob.Decompress(path("in.gz"), path("out"), BLOCK, false);
    interrupted(job, 4);
    assertContinues(job, 4, Files.readAllBytes(path("in")));
  }

  @Test
  void aFileWhoseBlocksAreAllCompleteOnlyGetsItsName() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), BLOCKS - 1);
    assertContinues(compress(BLOCK), BLOCKS - 1, whole);
  }

  /** Changes one byte of a file; a negative offset counts from its end. */
  private static void change(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset < 0 ? bytes.length + offset : offset] ^= 1;
    Files.write(file, bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "journal, 0, 0, the beginning: the journal is damaged", // magic
    "journal, 8, 0, the beginning: the input or the options have changed", // job
    "journal, 40, 0, the beginning: damaged blocks of the part: 5 of 5", // offset in the input
    "journal, 71, 1, block 1: damaged blocks of the part: 4 of 5", // offset in the output
    "journal, 82, 1, block 1: damaged blocks of the part: 4 of 5", // checksum of the block
    "journal, -1, 4, block 4: damaged blocks of the part: 1 of 5", // checksum of the record
    "part, 0, 0, the beginning: damaged blocks of the part: 5 of 5",
    "part, -1, 4, block 4: damaged blocks of the part: 1 of 5",
  })
  void damagedBlocksAreComputedAgain(String which, int offset, int intact, String why)
      throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    change(which.equals("part") ? part() : journal(), offset);
    assertContinues(compress(BLOCK), intact, whole);
    assertWarns("out: begins again at " + why);
  }

  @ParameterizedTest
  @CsvSource({"journal, 5, 4", "journal, 120, 0", "journal, 150, 0", "part, 1, 4", "part, 5000, 0"})
  void aShorterFileLosesItsLastBlocks(String which, int missing, int intact) throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Path file = which.equals("part") ? part() : journal();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, Math.max(0, bytes.length - missing)));
    assertContinues(compress(BLOCK), intact, whole);
  }

  @Test
  void bytesBehindTheLastCompleteBlockAreRemoved() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Files.write(part(), new byte[3 * BLOCK], StandardOpenOption.APPEND);
    assertContinues(compress(BLOCK), 5, whole);
  }

  @Test
  void aChangedInputIsReadFromItsBeginning() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Files.setLastModifiedTime(path("in"), FileTime.fromMillis(1));
    assertContinues(compress(BLOCK), 0, whole);
    assertWarns("out: begins again at the beginning: the input or the options have changed");
  }

  @Test
  void otherOptionsBeginANewOutput() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK / 2), 5);
    assertContinues(compress(BLOCK), 0, whole);
  }

  /**
   * A check without a result is no wrong result. The context gets the first blocks of the window,
   * then their checks: the last task that it computes is the check of the first block.
   */
  @Test
  void aVerificationWithoutAResultIsContinued() throws IOException {
    FileJob job = new FileJob.Compress(path("in"), path("out"), BLOCK, /* verify= */ true, false);
    assertThat(run(job, 2 * BLOCKS)).isInstanceOf(Done.class);
    byte[] whole = Files.readAllBytes(path("out"));
    Files.delete(path("out"));
    FileFailure failure = interrupted(job, WINDOW + 1);
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.block()).hasValue(1);
    assertThat(failure.message()).contains("TIME_OUT");
    FileEvent end = run(job, 2 * BLOCKS);
    assertThat(end).as("%s", end).isInstanceOf(Done.class);
    assertThat(((Done) end).report().resumed().blocks()).isEqualTo(1);
    assertThat(computed).as("tasks of the other blocks").isEqualTo(2 * (BLOCKS - 1));
    assertThat(path("out")).hasBinaryContent(whole);
  }

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
    TestProbe<FileEvent> events = system.kit.createTestProbe();
    system.kit.spawn(
        behavior(compress(BLOCK), PartialFiles.create(), 5, events.getRef()),
        DispatcherSelector.blocking());
    FileEvent event = events.receiveMessage();
    while (event instanceof FileEvent.Progress) {
      event = events.receiveMessage();
    }
    assertThat(event).isInstanceOf(FileEvent.Failed.class);
    assertThat(names()).containsExactly("in");
  }
}
