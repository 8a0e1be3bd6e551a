package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.erasure.PartReport.State;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the parts that encoding writes, and the obstacles. */
class PartOutputsTest extends ErasureTestBase {
  @Test
  void anExistingPartFailsTheJobAndNothingNewStays() throws IOException {
    Files.write(folder.resolve("a"), noise(1000));
    Path parts = Files.createDirectory(folder.resolve("a.d"));
    Files.writeString(part(parts, 3), "precious");
    FileFailure exists = failure(encode("a", STRIPES));
    assertThat(exists.kind()).isEqualTo(Kind.EXISTS);
    assertThat(exists.toString()).endsWith("part-003.ec: exists already");
    assertThat(part(parts, 3)).hasContent("precious");
    try (Stream<Path> files = Files.list(parts)) {
      assertThat(files).hasSize(1);
    }
    runAll(List.of(new FileJob.Encode(folder.resolve("a"), parts, STRIPES, true)));
    assertThat(verify(parts).count(State.SOUND)).isEqualTo(6);
  }

  @Test
  void afterAFailureTheNewFolderIsGone() throws IOException {
    assertThat(failure(encode("absent", STRIPES)).kind()).isEqualTo(Kind.INPUT);
    Files.write(folder.resolve("a"), noise(1000));
    assertThat(run(List.of(encode("a", new Stripes(2, 1, 256 << 20))))).isEmpty();
    assertThat(batchFailure.orElseThrow().kind()).isEqualTo(Kind.LIMIT);
    Path file = Files.writeString(folder.resolve("a.d"), "no folder");
    assertThat(failure(encode("a", STRIPES)).toString()).endsWith("is not a directory");
    assertThat(file).hasContent("no folder");
    assertThat(names()).containsExactly("a", "a.d");
  }

  @Test
  void obstaclesAreFoundBeforeTheJob() throws IOException {
    Path parts = parts("a", 1000);
    assertThat(recover(parts).obstacle()).isEmpty();
    assertThat(encode("a", STRIPES).obstacle()).isEmpty();
    Files.writeString(folder.resolve("b.d"), "no folder");
    Files.writeString(folder.resolve("b"), "content");
    assertThat(encode("b", STRIPES).obstacle().orElseThrow().toString())
        .endsWith("b.d: cannot be written: is not a directory");
    assertThat(recover(folder.resolve("b")).obstacle().orElseThrow().toString())
        .endsWith("b: cannot be read: is not a directory");
    for (int i = 0; i < 3; i++) {
      Files.delete(part(parts, i));
    }
    assertThat(recover(parts).obstacle().orElseThrow().toString())
        .endsWith("a.d: has 3 of 6 parts, 4 are needed");
  }

  /** Another program creates one of the names while the parts are published. */
  @Test
  void ifOnePartCannotBePublishedNoneStays() throws Exception {
    Path parts = folder.resolve("a.d");
    PartOutputs outputs =
        PartOutputs.open(partials, new FileJob.Encode(folder.resolve("a"), parts, STRIPES, false));
    Files.writeString(part(parts, 3), "precious");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> outputs.publish(0, PosixFilePermissions.fromString("rw-------")));
    assertThat(part(parts, 2)).doesNotExist();
    outputs.discard();
    outputs.discard();
    try (Stream<Path> files = Files.list(parts)) {
      assertThat(files).containsExactly(part(parts, 3));
    }
  }

  /** A folder takes the name of one part while the parts are published. */
  @Test
  void aFailureKeepsTheReplacedParts() throws Exception {
    Path parts = parts("a", 1000);
    Files.delete(part(parts, 4));
    List<byte[]> before = contents(parts, 4);
    PartOutputs outputs =
        PartOutputs.open(partials, new FileJob.Encode(folder.resolve("b"), parts, STRIPES, true));
    Files.createDirectories(part(parts, 4).resolve("occupied"));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> outputs.publish(0, PosixFilePermissions.fromString("rw-------")));
    outputs.discard();
    assertThat(contents(parts, 4)).containsExactlyElementsOf(before);
    assertThat(part(parts, 4)).isDirectory();
    try (Stream<Path> files = Files.list(parts)) {
      assertThat(files).as("no second names are left").hasSize(6);
    }
  }

  @Test
  void aFailureToDeleteIsReportedAfterTheFirst() throws Exception {
    Path parts = folder.resolve("a.d");
    PartOutputs outputs =
        PartOutputs.open(partials, new FileJob.Encode(folder.resolve("a"), parts, STRIPES, false));
    Path first;
    try (Stream<Path> files = Files.list(parts)) {
      first = files.sorted().findFirst().orElseThrow();
    }
    Files.delete(first);
    Files.createDirectories(first.resolve("occupied"));
    FileFailure failure = outputs.discardAfter(FileFailure.of(Kind.OUTPUT, parts, "disk full"));
    assertThat(failure.message()).startsWith("disk full; then ").contains("cannot be written");
  }

  @Test
  void replacedPartsLeaveNoSecondNames() throws IOException {
    Path parts = parts("a", 1000);
    runAll(List.of(new FileJob.Encode(folder.resolve("a"), parts, STRIPES, true)));
    try (Stream<Path> files = Files.list(parts)) {
      assertThat(files).hasSize(6);
    }
    assertThat(verify(parts).count(State.SOUND)).isEqualTo(6);
  }

  @Test
  void partsThatFewerNewOnesDoNotReplaceFailTheJob() throws IOException {
    Path parts = parts("a", 1000);
    List<byte[]> before = contents(parts, 6);
    Stripes fewer = new Stripes(3, 1, STRIPES.blockBytes());
    FileFailure failure = failure(new FileJob.Encode(folder.resolve("a"), parts, fewer, true));
    assertThat(failure.kind()).isEqualTo(Kind.OUTPUT);
    assertThat(failure.message())
        .startsWith("cannot be written: part-004.ec, part-005.ec would stay beside the new parts");
    assertThat(contents(parts, 6)).containsExactlyElementsOf(before);
    Stripes more = new Stripes(4, 8, STRIPES.blockBytes());
    runAll(List.of(new FileJob.Encode(folder.resolve("a"), parts, more, true)));
    assertThat(verify(parts).count(State.SOUND)).isEqualTo(12);
    assertThat(failure(new FileJob.Encode(folder.resolve("a"), parts, fewer, true)).message())
        .contains("part-011.ec would stay");
    Stripes one = new Stripes(1, 1, STRIPES.blockBytes());
    assertThat(failure(new FileJob.Encode(folder.resolve("a"), parts, one, true)).message())
        .contains("part-002.ec", "part-009.ec and 2 more would stay");
  }

  private static List<byte[]> contents(Path parts, int count) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      contents.add(Files.readAllBytes(part(parts, i)));
    }
    return contents;
  }

  @Test
  void partsAndFileHaveThePermissionsOfTheFile() throws IOException {
    Path file = Files.write(folder.resolve("a"), noise(1000));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    runAll(List.of(encode("a", STRIPES)));
    Path parts = folder.resolve("a.d");
    runAll(List.of(recover(parts)));
    assertThat(Files.getPosixFilePermissions(part(parts, 4)))
        .isEqualTo(Files.getPosixFilePermissions(file));
    assertThat(Files.getPosixFilePermissions(output(parts)))
        .isEqualTo(Files.getPosixFilePermissions(file));
  }
}
