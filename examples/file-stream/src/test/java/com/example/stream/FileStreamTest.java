package com.example.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileStreamTest {
  @Test
  void theFileArrivesUnchanged(@TempDir Path folder) throws IOException {
    byte[] content = new byte[5 * 1024 * 1024 + 123];
    new Random(1).nextBytes(content); // does not compress
    Path file = Files.write(folder.resolve("data"), content);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      FileStream.main(new String[] {file.toString()});
    } finally {
      System.setOut(before);
    }
    assertArrayEquals(content, Files.readAllBytes(folder.resolve("data.copy")));
    List<String> lines = printed.toString(UTF_8).lines().toList();
    assertTrue(
        lines.get(0).matches("\\d{7} encrypted bytes sent, 5243003 bytes written"), lines.get(0));
    assertEquals("stopped, census: empty", lines.get(1));
  }

  @Test
  void theBlocksOfAFileAreCompressedInPlace(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("data"), new byte[3 * 1024 * 1024 + 5]);
    FileStream files = FileStream.start();
    try (FileChannel in = FileChannel.open(file)) {
      int bytes = files.deflatedBytes(in).toCompletableFuture().join();
      assertTrue(bytes > 4 && bytes < 100_000, () -> bytes + " bytes");
    }
    assertEquals("empty", files.stop().census());
  }
}
