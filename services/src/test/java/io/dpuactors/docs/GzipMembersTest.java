package io.dpuactors.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.gzip.GzipMember;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code that docs/gzip-format.md shows. */
class GzipMembersTest {
  @Test
  void membersAreFoundWithoutInflating(@TempDir Path folder) throws IOException {
    ByteBuffer members = ByteBuffer.allocate(64);
    GzipMember.putEmpty(members);
    GzipMember.putEmpty(members);
    byte[] content = Arrays.copyOf(members.array(), members.position());
    Path file = Files.write(folder.resolve("two.gz"), content);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      GzipMembers.print(file);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(UTF_8)).isEqualToIgnoringNewLines("2 members of at most 0");
  }
}
