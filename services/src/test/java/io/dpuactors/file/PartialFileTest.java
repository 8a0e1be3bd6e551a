package io.dpuactors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialFileTest {
  private static final Set<PosixFilePermission> GROUP_READ =
      PosixFilePermissions.fromString("rw-r-----");

  @TempDir Path folder;

  private final PartialFiles partials = PartialFiles.create();

  private PartialFile begun(Path target, boolean replace, String content) throws IOException {
    PartialFile file = partials.begin(target, replace);
    file.channel().write(ByteBuffer.wrap(content.getBytes(UTF_8)));
    return file;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theNameAppearsWhenTheFileIsComplete() throws IOException {
    PartialFile file = begun(folder.resolve("out"), false, "whole");
    assertThat(names()).singleElement().asString().startsWith(".dpu-").endsWith(".part");
    Path partial = folder.resolve(names().get(0));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(partial)))
        .isEqualTo("rw-------");
    file.publish(GROUP_READ);
    assertThat(names()).containsExactly("out");
    assertThat(folder.resolve("out")).hasContent("whole");
    assertThat(Files.getPosixFilePermissions(folder.resolve("out"))).isEqualTo(GROUP_READ);
  }

  @Test
  void aFileThatIsThereIsRefusedAtOnce() throws IOException {
    Path target = Files.writeString(folder.resolve("out"), "old");
    assertThatThrownBy(() -> partials.begin(target, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(names()).containsExactly("out");
  }

  @Test
  void aFileCreatedDuringTheRunIsNotOverwritten() throws IOException {
    Path target = folder.resolve("out");
    PartialFile file = begun(target, false, "new");
    Files.writeString(target, "somebody else's");
    assertThatThrownBy(() -> file.publish(GROUP_READ))
        .isInstanceOf(FileAlreadyExistsException.class);
    file.discard();
    assertThat(names()).containsExactly("out");
    assertThat(target).hasContent("somebody else's");
  }

  @Test
  void replacingIsAtOnce() throws IOException {
    Path target = Files.writeString(folder.resolve("out"), "old");
    PartialFile file = begun(target, true, "new");
    assertThat(target).hasContent("old");
    file.publish(GROUP_READ);
    assertThat(target).hasContent("new");
    assertThat(names()).containsExactly("out");
  }

  @Test
  void aLinkStaysAndWhatItNamesIsReplaced() throws IOException {
    Path real = Files.writeString(folder.resolve("real"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    begun(link, true, "new").publish(GROUP_READ);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(real).hasContent("new");
  }

  @Test
  void specialFilesAreNeverReplaced() throws IOException {
    assertThatThrownBy(() -> partials.begin(Path.of("/dev/null"), true))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not a regular file");
    assertThatThrownBy(() -> partials.begin(folder, true))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("is a directory");
    Path dangling = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
    assertThatThrownBy(() -> partials.begin(dangling, true))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("dangling symbolic link");
  }

  /**
   * Creates the partial file of a killed process, unlocked, from this boot of the kernel or
   * another.
   */
  private void leftBehind(String boot) throws IOException {
    Files.writeString(folder.resolve(".dpu-%s-00000000000000aa-0.part".formatted(boot)), "half");
  }

  private static String thisKernel() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip().replace("-", "");
  }

  @Test
  void filesOfAKilledProcessAreRemoved() throws IOException {
    leftBehind(thisKernel());
    begun(folder.resolve("out"), false, "whole").publish(GROUP_READ);
    assertThat(names()).containsExactly("out");
  }

  @Test
  void partsOfLiveProcessesOtherKernelsAndOtherProgramsStay() throws IOException {
    PartialFile live = begun(folder.resolve("live"), false, "whole");
    leftBehind("0".repeat(32));
    Files.writeString(folder.resolve(".dpu-of-somebody.part"), "theirs");
    Files.createSymbolicLink(
        folder.resolve(".dpu-%s-00000000000000ab-0.part".formatted(thisKernel())),
        Files.writeString(folder.resolve("precious"), "theirs"));
    PartialFiles others = PartialFiles.create();
    others.begin(folder.resolve("out"), false).publish(GROUP_READ);
    assertThat(names()).hasSize(6).contains("out", "precious", ".dpu-of-somebody.part");
    live.publish(GROUP_READ);
    assertThat(folder.resolve("live")).hasContent("whole");
  }

  @Test
  void discardingLeavesNothingAndMayBeRepeated() throws IOException {
    PartialFile file = begun(folder.resolve("out"), false, "half");
    file.discard();
    file.discard();
    assertThat(names()).isEmpty();
  }

  @Test
  void theEndOfTheProcessDeletesAllAndLetsNoneThrough() throws IOException {
    PartialFile one = begun(folder.resolve("one"), false, "1");
    begun(folder.resolve("two"), true, "2");
    partials.close();
    assertThat(names()).isEmpty();
    assertThatThrownBy(() -> one.publish(GROUP_READ)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> partials.begin(folder.resolve("three"), false))
        .isInstanceOf(ClosedChannelException.class);
    partials.close();
    assertThat(names()).isEmpty();
  }
}
